// verdict: FALSE(termination)
// check: --property termination
// 1, 2, 1, 2, ...
int main(void)
{
    int x = 1;
    while (x != 0) {
        if (x == 1)
            x++;
        else
            x--;
    }
    return 0;
}

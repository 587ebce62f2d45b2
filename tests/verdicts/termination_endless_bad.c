// verdict: FALSE(termination)
// check: --property termination
int main(void)
{
    int k = 0;
    while (k < 10) {
        if (k == 1)
            break;
    }
    return 0;
}

// verdict: FALSE(termination)
// check: --property termination --entry g
// A run that never ends may begin at any function.
void g(void)
{
    int x = 0;
    while (x < 500) {
        x++;
        if (x == 400)
            x = 0;
    }
}
int main(void)
{
    g();
    return 0;
}

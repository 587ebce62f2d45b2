// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// The pointer was good while the block was.
int main(void)
{
    int *p = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        if (i == 0)
            p = &x;
        if (i == 1)
            sum += *p;
        p = &x;
        sum += *p;
    }
    return sum + *p;
}

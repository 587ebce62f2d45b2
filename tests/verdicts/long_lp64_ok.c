// verdict: TRUE
// check: --property no-overflow --data-model LP64
int main(void)
{
    long x = 2147483647;
    return x + 1 > 0;
}

// verdict: FALSE(no-overflow)
// check: --property no-overflow --data-model ILP32
int main(void)
{
    long x = 2147483647;
    return x + 1 > 0;
}

// verdict: FALSE(termination)
// check: --property termination
// What one element loses the other one gains.
int main(void)
{
    int a[2] = {1, 0}, i = 0;
    while (a[i] > 0) {
        a[i]--;
        a[1 - i]++;
        i = 1 - i;
    }
    return 0;
}

// The mean of nothing is nothing; a float may be divided by zero.
static int mean(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return n ? s / n : 0;
}
int main(void) {
    int a[] = {1, 2, 3};
    volatile double zero = 0;
    return mean(a, 3) + mean(a, 0) != 2 || 1 / zero < 1e300;
}

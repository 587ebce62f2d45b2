// The mean of nothing.
static int mean(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s / n; //~ violated[div-by-zero]
}
int main(void) {
    int a[] = {1, 2, 3};
    return mean(a, 3) + mean(a, 0);
}

// diff: sum equal
// diff: count equal
// diff: fill changed
// diff: bounded equal
// diff: shifted equal
// diff: ends not-equal
int sum(int m) {
    int t = 0, k = 0;
    while (m > k) { t = t + k; k = k + 1; }
    return t;
}
int count(const char *text) {
    int length;
    for (length = 0; *text != 0; text++) length++;
    return length;
}
void fill(int *a, int n, int v) {
    for (int i = 0; i <= n - 1; i++) a[i] = i == 3 ? v + 1 : v;
}
int bounded(int x) { return (x & 3) * 4; }
unsigned shifted(unsigned n) {
    unsigned s = 0;
    for (unsigned i = 1; i - 1 < n; i++) s += i;
    return s;
}
int ends(int n) {
    while (n > 0) n++, n--;
    return 7;
}

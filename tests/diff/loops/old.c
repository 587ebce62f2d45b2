int sum(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += i;
    return s;
}
int count(const char *s) {
    int n = 0;
    while (*s) { n++; s++; }
    return n;
}
void fill(int *a, int n, int v) {
    for (int i = 0; i < n; i++) a[i] = v;
}
int bounded(int x) {
    int r = 0;
    for (int i = 0; i < 4; i++) r += x & 3;
    return r;
}
unsigned shifted(unsigned n) {
    unsigned s = 0;
    for (unsigned i = 0; i < n; i++) s += i + 1;
    return s;
}
int ends(int n) {
    while (n > 0) n--;
    return 7;
}

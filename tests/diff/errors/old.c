int safe(int a, int b) { return b ? a / b : 0; }
int wraps(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
int reads_less(int *p, int c) { return c ? *p : 0; }
int reads_both(int *p, int c) { return *p + (c ? *p : 0); }
int uninit(int c) {
    int x = 0;
    if (c) x = 1;
    return x;
}

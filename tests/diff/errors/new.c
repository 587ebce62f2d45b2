// A new error is a change; an error that is gone is none.
// diff: safe not-equal
// diff: wraps not-equal
// diff: reads_less not-equal
// diff: reads_both equal
// diff: uninit not-equal
int safe(int a, int b) { int q = a / b; return b ? q : 0; }
int wraps(int a, int b) { return a + b; }
int reads_less(int *p, int c) { int v = *p; return c ? v : 0; }
int reads_both(int *p, int c) { int v = *p; return v + (c ? v : 0); }
int uninit(int c) {
    int x;
    if (c) x = 1;
    return x;
}

// A parameter that its declaration calls nonnull.
__attribute__((nonnull)) static int same(const int *a, const int *b) { return a == b; }
int main(void) {
    int x = 1, *p = &x;
    int r = same(p, &x);
    p = 0;
    return r + same(p, &x); //~ violated[invalid-argument]
}

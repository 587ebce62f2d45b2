// The bytes of a function are no object.
static int f(int x) { return x + 1; }
int main(void) {
    const unsigned char *p = (const unsigned char *)f;
    return f(1) + *p; //~ violated[invalid-deref]
}

// Set on one way only.
static int f(int n) {
    int x;
    if (n > 0) x = 1;
    if (x) //~ violated[uninit-read]
        return 2;
    return 3;
}
int main(void) { return f(1) + f(0); }

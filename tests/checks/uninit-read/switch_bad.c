// No case for the value, no default.
static int f(int k) {
    int r;
    switch (k) {
    case 0: r = 10; break;
    case 1: r = 20; break;
    }
    switch (r) { //~ violated[uninit-read]
    case 10: return 1;
    default: return 2;
    }
}
int main(void) { return f(0) + f(1) + f(2); }

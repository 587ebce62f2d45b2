// The programmer was sure.
static int sign(int x) {
    if (x > 0) return 1;
    if (x < 0) return -1;
    __builtin_unreachable(); //~ violated[unreachable]
}
int main(void) { return sign(3) + sign(-3) + sign(0); }

// A difference that becomes negative.
static int scale(int v, int from, int to) {
    return v >> (from - to); //~ violated[shift-range]
}
int main(void) { return scale(64, 6, 3) + scale(64, 3, 6); }

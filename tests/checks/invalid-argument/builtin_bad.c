// The number of leading zeros of zero.
static int log2_of(unsigned v) {
    return 31 - __builtin_clz(v); //~ violated[invalid-argument]
}
int main(void) { return log2_of(8) + log2_of(0); }

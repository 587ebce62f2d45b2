// The width that counts is that of int, not that of the operand or the result.
static unsigned char high(unsigned char c, int n) {
    return (unsigned char)(c << n); //~ violated[shift-range]
}
int main(void) { return high(1, 20) + high(1, 32); }

// A mask of all bits shifts by the whole width.
static unsigned mask(unsigned n) {
    return (1u << n) - 1; //~ violated[shift-range]
}
int main(void) { return (int)(mask(3) + mask(32)); }

// A negative number as unsigned.
static unsigned size(float f) {
    return (unsigned)f; //~ violated[float-cast]
}
int main(void) { return (int)(size(-0.5f) + size(-1.5f)); }

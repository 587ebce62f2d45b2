// A function that promised never to return null.
static int table[2];
__attribute__((returns_nonnull)) static int *slot(int i) {
    return i < 2 ? &table[i] : 0; //~ violated[null-return]
}
int main(void) { return *slot(1) + (slot(2) == &table[1]); }

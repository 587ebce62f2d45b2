// A counter in a static variable runs past its array.
static int next(void) {
    static int used;
    static const int ids[2] = {7, 8};
    return ids[used++]; //~ violated[array-index]
}
int main(void) { return next() + next() + next(); }

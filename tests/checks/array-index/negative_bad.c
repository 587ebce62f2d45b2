// A char that is negative as an index.
static const char kind[128] = {['a'] = 1};
static int look(const char *s) {
    int n = 0;
    for (; *s; s++)
        n += kind[(int)*s]; //~ violated[array-index]
    return n;
}
int main(void) { return look("abc") + look("\xe9"); }

// A hash in signed arithmetic.
static int hash(const char *s) {
    int h = 5381;
    while (*s)
        h = h * 33 + *s++; //~ violated[signed-overflow]
    return h;
}
int main(void) { return hash("ab") == hash("abcdefgh"); }

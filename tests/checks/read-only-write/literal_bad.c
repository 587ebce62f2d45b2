// A string literal must not be changed.
int main(void) {
    char *s = "abc";
    s[0] = 'x'; //~ violated[read-only-write]
    return 0;
}

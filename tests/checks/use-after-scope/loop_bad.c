// Each round has a variable of its own.
int main(void) {
    int *p = 0, s = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        if (p) s += *p; //~ violated[use-after-scope]
        p = &x;
    }
    return s;
}

// An address that was never set.
struct s { int *where; };
int main(void) {
    struct s s;
    int x = 1;
    if (x > 1) s.where = &x;
    return *s.where; //~ violated[uninit-read]
}

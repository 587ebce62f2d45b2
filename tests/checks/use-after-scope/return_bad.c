// The address of a local variable leaves through a struct.
struct view { const char *s; int n; };
static struct view make(void) {
    char buf[4] = "abc";
    struct view v = {buf, 3};
    return v;
}
int main(void) {
    struct view v = make();
    return v.s[0]; //~ violated[use-after-scope]
}

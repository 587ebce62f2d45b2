// The callee fails and the caller does not look.
static int parse(int ok, int *out) {
    if (!ok) return -1;
    *out = 5;
    return 0;
}
int main(void) {
    int v;
    parse(0, &v);
    if (v == 5) return 1; //~ violated[uninit-read]
    return 0;
}

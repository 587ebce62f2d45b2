// The function by which verification tasks say what must not happen.
// flags: -Wl,--unresolved-symbols=ignore-all
extern void reach_error(void);
static int f(int x) { return x * 2 - x; }
int main(void) {
    if (f(4) != 4) return 1;
    reach_error(); //~ violated[error-call]
    return 0;
}

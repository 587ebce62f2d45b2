// A bit-field keeps the low bits, whether it and the number are signed or not.
// scan: --check integer-truncation
// run: no
struct flags {
    unsigned mode : 3;
    int level : 4;
    unsigned long long wide : 40;
};
int main(int argc, char **argv) {
    struct flags f = {0, 0, 0};
    if (argc == 2) f.mode = argc + 9; //~ violated[integer-truncation]
    if (argc == 3) f.level = argc + 9; //~ violated[integer-truncation]
    if (argc == 4) f.wide = ~0ull - (unsigned)argc; //~ violated[integer-truncation]
    return f.mode + f.level;
}

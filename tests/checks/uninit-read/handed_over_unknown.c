// FIXME: undefined for inputs that are hard to find. Whether an argument, a result or a variable that other functions
// leave behind is defined, is not assumed of code of the program.
static int hard(unsigned k) { return k * 2654435761u + (k >> 3) * k == 0x12345678u; }
static int left_behind;
static int argument(int x) { return x > 3 ? 1 : 2; } //~ unknown
static void set(unsigned k, int *p) { if (!hard(k)) *p = 1; }
static int d4(unsigned k) { int y; set(k, &y); return y; }
static int d3(unsigned k) { return d4(k); }
static int d2(unsigned k) { return d3(k); }
static int d1(unsigned k) { return d2(k); }
static void g4(unsigned k) { int y; set(k, &y); left_behind = y; }
static void g3(unsigned k) { g4(k); }
static void g2(unsigned k) { g3(k); }
static void g1(unsigned k) { g2(k); }
int main(int argc, char **argv) {
    unsigned k = 0;
    for (int i = 1; i < argc; i++)
        k = k * 31 + (unsigned char)argv[i][0];
    int y;
    if (!hard(k)) y = 1;
    int r = argument(y);
    if (d1(k)) //~ unknown
        r++;
    g1(k);
    if (left_behind) //~ unknown
        r++;
    return r;
}

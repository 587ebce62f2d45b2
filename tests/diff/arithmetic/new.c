// diff: commuted equal
// diff: parity equal
// diff: times_nine equal
// diff: middle equal
// diff: off_by_one changed
// diff: halves equal
// diff: signed_halves changed
// diff: may_overflow equal
int commuted(int a, int b) { return b + a; }
int parity(unsigned a) { return a % 2 == 0 ? 4 : 3; }
unsigned times_nine(unsigned x) { return (x << 3) + x; }
int middle(int a, int b) {
    if (b > a) return a;
    return b;
}
int off_by_one(int a) { return a >= 10 ? 1 : 0; }
unsigned halves(unsigned a) { return a >> 1; }
int signed_halves(int a) { return a >> 1; }
int may_overflow(int a, int b) { return a < b; }

int commuted(int a, int b) { return a + b; }
int parity(unsigned a) { return (a & 1) ? 3 : 4; }
unsigned times_nine(unsigned x) { return x * 9; }
int middle(int a, int b) { return a < b ? a : b; }
int off_by_one(int a) { return a > 10 ? 1 : 0; }
unsigned halves(unsigned a) { return a / 2; }
int signed_halves(int a) { return a / 2; }
int may_overflow(int a, int b) { return a - b < 0; }

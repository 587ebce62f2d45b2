// verdict: TRUE
// check: --property no-overflow
// The program's own `abs` is the one that is called, and it takes the least number, too.
int abs(int x) { return x < 0 ? (int)(0u - (unsigned)x) : x; }
int main(void) { return abs(-2147483647 - 1) == 1; }

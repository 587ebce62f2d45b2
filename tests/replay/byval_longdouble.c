// Arguments that no C text of numbers and pointers gives.
// scan: --entry byval
// replay: not confirmed: `byval` takes a `long double` by value
typedef long double big;
int byval(big p) {
    int d = p > 0 ? 0 : 0;
    return 10 / d;
}

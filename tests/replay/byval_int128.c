// Arguments that no C text of numbers and pointers gives.
// scan: --entry byval
// replay: not confirmed: `byval` takes an `__int128` by value
typedef __int128 wide;
int byval(wide p) {
    int d = p > 0 ? 0 : 0;
    return 10 / d;
}

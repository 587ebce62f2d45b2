// Arguments that no C text of numbers and pointers gives.
// scan: --entry byval
// replay: not confirmed: `byval` takes a union by value
union u { int x; char c; };
int byval(union u p) {
    int d = p.x - p.x;
    return 10 / d;
}

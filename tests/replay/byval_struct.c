// Arguments that no C text of numbers and pointers gives.
// scan: --entry byval
// replay: not confirmed: `byval` takes a struct by value
struct pt { int x, y; };
int byval(struct pt p) {
    int d = p.x - p.x;
    return 10 / d;
}

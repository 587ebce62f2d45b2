// Arguments that no C text of numbers and pointers gives.
// scan: --entry byval
// replay: not confirmed: `byval` takes a vector by value
typedef int vec __attribute__((vector_size(16)));
int byval(vec p) {
    int d = p[0] - p[0];
    return 10 / d;
}

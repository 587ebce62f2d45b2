int rounds(int n) {
    int i = 0, j = 0;
    while (i <= n) { i++; j++; }
    return j;
}
int rounds_less(int n) {
    int i = 0, j = 0;
    while (i <= n) { i++; j++; }
    return j;
}
unsigned steps(unsigned n) {
    unsigned i = 0, sum = 0;
    while (i < n) { i++; sum += 3; }
    return sum;
}
unsigned steps_of_four(unsigned n) {
    unsigned i = 0, sum = 0;
    while (i < n) { i++; sum += 3; }
    return sum;
}

// Lengths of at least one.
static int use(unsigned n) {
    int v[n + 1];
    v[n] = 2;
    return v[n];
}
int main(void) { return use(0) + use(7) != 4; }

// The object behind the pointer need not be longer than one element.
int pick(const int *p, unsigned i) {
    if (!p || i > 100) return 0;
    return p[i]; //~ latent[out-of-bounds-read]
}

// A buffer and a length that need not belong together.
void clear(unsigned char *p, unsigned n) {
    if (!p || n > 64) return;
    for (unsigned i = 0; i < n; i++)
        p[i] = 0; //~ latent[out-of-bounds-write]
}

// The amount comes from outside.
unsigned long bit(unsigned n) {
    return 1ul << n; //~ latent[shift-range]
}

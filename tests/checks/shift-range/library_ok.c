// The amount is masked.
unsigned rotate(unsigned v, unsigned n) {
    n &= 31;
    return v << n | v >> (-n & 31);
}

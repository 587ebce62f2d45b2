// The divisor cannot be zero.
unsigned ratio(unsigned a, unsigned b) { return b ? a / b : 0; }
unsigned odd(unsigned a, unsigned b) { return a / (b | 1); }
unsigned guarded(unsigned a, unsigned char b) { return a % (b + 1u); }

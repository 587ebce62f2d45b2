// The divisor comes from outside.
unsigned ratio(unsigned a, unsigned b) {
    return a / b; //~ latent[div-by-zero]
}

// A wider type, or a shift in two steps; an int128 has room for more.
static unsigned mask(unsigned n) { return (unsigned)((1ull << n) - 1); }
static unsigned half(unsigned n) { return n ? ~0u >> (32 - n) : 0; }
int main(void) {
    unsigned __int128 w = (unsigned __int128)1 << 127;
    return mask(32) != half(32) || half(0) != 0 || w >> 127 != 1;
}

// A decoder gets through its checks with what the encoder made, in a library from before `const`.
static unsigned mix(unsigned h, unsigned c) { return (h ^ c) * 2654435761u + (h >> 7); }

int pack(unsigned char *dest, unsigned *length, unsigned char *source, unsigned n) {
    unsigned h = 7;
    if (dest == 0 || length == 0 || source == 0 || n > 100 || *length < n + 4)
        return -1;
    for (unsigned i = 0; i < n; i++) {
        dest[i + 4] = source[i] ^ (unsigned char)h; //~ latent[out-of-bounds-read] latent[out-of-bounds-write]
        h = mix(h, source[i]);
    }
    for (unsigned i = 0; i < 4; i++)
        dest[i] = (unsigned char)(mix(h, i) >> 8); //~ latent[out-of-bounds-write]
    *length = n + 4;
    return 0;
}

int unpack(unsigned char *dest, unsigned *length, unsigned char *source, unsigned n) {
    unsigned h = 7;
    int *done = 0;
    if (dest == 0 || length == 0 || source == 0 || n < 8 || n > 104 || *length < n - 4)
        return -1;
    for (unsigned i = 4; i < n; i++) {
        unsigned c = source[i] ^ (unsigned char)h; //~ latent[out-of-bounds-read]
        h = mix(h, c);
        dest[i - 4] = (unsigned char)c; //~ latent[out-of-bounds-write]
    }
    for (unsigned i = 0; i < 4; i++)
        if (source[i] != (unsigned char)(mix(h, i) >> 8))
            return -2;
    *done = 1; //~ latent[null-deref]
    *length = n - 4;
    return 0;
}

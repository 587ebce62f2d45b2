// The same double in a wider integer; numbers near the limits.
int main(void) {
    double d = 3e9;
    long l = (long)d;
    int i = (int)2147483647.9, j = (int)-2147483648.9;
    unsigned u = (unsigned)4294967295.5;
    unsigned char c = (unsigned char)255.9f;
    return l != 3000000000 || i != 2147483647 || j > 0 || u != 4294967295u || c != 255;
}

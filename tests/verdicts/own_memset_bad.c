// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// The program's own `memset` writes one byte too many.
void *memset(void *d, int c, unsigned long n) {
    char *p = d;
    for (unsigned long i = 0; i <= n; i++)
        p[i] = (char)c;
    return d;
}
int main(void) {
    char b[5];
    memset(b, 'x', 5);
    return 0;
}

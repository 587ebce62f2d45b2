/* Runs every differential test; prints one line, exits 1 if a model differs from the host's C library. */
#include "native.h"

int checks, failures;

void report(const char *file, int line, const char *what)
{
    static int per_line[4096];
    failures++;
    if (++per_line[line % 4096] <= 4)
        fprintf(stderr, "%s:%d: %s\n", file, line, what);
}

uint64_t rnd(void)
{
    static uint64_t x = 0x9e3779b97f4a7c15u;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

int main(void)
{
    setvbuf(stderr, NULL, _IONBF, 0);
    test_strings();
    test_numbers();
    test_printf();
    test_scanf();
    test_streams();
    test_misc();
    printf("models: %d checks against the host's C library, %d failed\n", checks, failures);
    return failures != 0;
}

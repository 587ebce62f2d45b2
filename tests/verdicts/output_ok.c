// verdict: TRUE
// check: --property valid-memsafety
// Output that keeps to what the library asks, in a loop without end in sight.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
static const char *const names[] = {"one", "two"};
int main(void)
{
    int n = 0;
    while (__VERIFIER_nondet_int()) {
        n = __VERIFIER_nondet_int();
        printf("%s %d %5.1f%%\n", "text", n, 1.5);
        fprintf(stderr, "%c %lx\n", 'x', (unsigned long)n);
        puts("done");
        putchar('\n');
    }
    return names[0][0] == 'o' ? 0 : n & 1;
}

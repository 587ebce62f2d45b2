// verdict: FALSE(valid-deref)
// check: --property valid-memsafety --timeout 20
// One argument more is asked for than there is.
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);

static int sum(int count, ...)
{
    va_list list;
    int total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        total ^= va_arg(list, int);
    va_end(list);
    return total;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 3)
        return 0;
    return sum(n, 1, 2) & 1;
}

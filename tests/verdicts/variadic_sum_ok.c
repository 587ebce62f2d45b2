// verdict: TRUE
// check: --property unreach-call --property valid-memsafety --timeout 20
// Further arguments are followed: by number, by type, and through a list that is handed on.
#include <assert.h>
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);

static int next(va_list *list)
{
    return va_arg(*list, int);
}

static long long sum(int count, ...)
{
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    long long total = next(&list);
    for (int i = 1; i < count; i++)
        total += va_arg(list, int);
    assert(va_arg(again, int) + 1LL >= -2147483647LL);
    va_end(again);
    va_end(list);
    return total;
}

static void mixed(const char *what, ...)
{
    va_list list;
    va_start(list, what);
    double d = va_arg(list, double);
    long long big = va_arg(list, long long);
    int *p = va_arg(list, int *);
    va_end(list);
    assert(d == 1.5);
    assert(big == 1LL << 40);
    *p = 7;
}

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), got = 0;
    assert(sum(3, a, b, 1) == (long long)a + b + 1);
    mixed("dlp", 1.5, 1LL << 40, &got);
    assert(got == 7);
    return 0;
}

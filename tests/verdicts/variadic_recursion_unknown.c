// verdict: UNKNOWN(unmodelled: variadic arguments are not encoded in `last`, line 11)
// check: --property unreach-call --timeout 10
// Of a variadic function that calls itself, any activation has any further arguments.
#include <assert.h>
#include <stdarg.h>
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned last(unsigned depth, ...)
{
    va_list list;
    va_start(list, depth);
    unsigned v = va_arg(list, unsigned);
    va_end(list);
    return depth == 0 ? v : last(depth - 1, v + 1);
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    assert(last(n, 5u) == n + 5);
    return 0;
}

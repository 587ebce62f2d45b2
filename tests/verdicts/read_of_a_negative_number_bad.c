// check: --property valid-memsafety --data-model LP64
// verdict: FALSE(valid-deref)
// As a size, a negative number is more than any result can say: `read` may still fill the buffer and more.
#include <unistd.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char buf[10];
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < -6000 || n > -5000)
        return 0;
    if ((unsigned)m * 2654435761u != 77u)
        return 0;
    return read(0, buf, n) > 0;
}

// Bytes of an address say where an object lies, also when others of them have been overwritten.
// check: --property unreach-call
// verdict: UNKNOWN(abstraction: may fail for all that is known)
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
struct pair { char *to; int n; };

int main(void)
{
    struct pair *a = malloc(sizeof *a), b;
    a->to = (char *)a;
    a->n = 3;
    memcpy(&b, a, sizeof b);
    memset(&b, 0, 2);
    unsigned char *bytes = (unsigned char *)&b;
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += bytes[i] & 64;
    if (sum > 128) // FIXME: it may be
        reach_error();
    free(a);
    return 0;
}

// verdict: TRUE
// check: --property unreach-call
// Bytes of a word, by a union, by a cast and by memcpy.
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
union word { unsigned w; unsigned char b[4]; };
int main(void)
{
    union word u;
    u.w = __VERIFIER_nondet_uint();
    unsigned char c[4];
    memcpy(c, &u, 4);
    unsigned back = c[0] | c[1] << 8 | c[2] << 16 | (unsigned)c[3] << 24;
    if (back != u.w || u.b[2] != ((unsigned char *)&u)[2])
        reach_error();
    return 0;
}

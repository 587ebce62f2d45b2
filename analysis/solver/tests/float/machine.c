/* The machine's arithmetic, for the tests: records on standard input, results on standard output. A record is the
 * operation, the rounding mode, the type of operands and of the result, and three operands of 16 bytes; a result is 16
 * bytes. Modes: 0 nearest, 2 up, 3 down, 4 towards zero. Types: f, d, x (long double); results of `i` and `u` are
 * integers of 64 bits, of `j` and `v` of 32. */
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct record {
    char op, mode, type, to;
    unsigned char operand[3][16];
};

/* The C library's loses the sign of zeros; the processor's is exact in every format. */
static long double ieee_remainder(long double a, long double b)
{
    unsigned short status;
    do
        __asm__ volatile("fprem1\n\tfnstsw %1" : "+t"(a), "=a"(status) : "u"(b) : "cc");
    while (status & 0x400);
    return a;
}

#define TYPE(T, S)                                                                                                    \
    static void run_##S(const struct record *r, unsigned char *out)                                                   \
    {                                                                                                                 \
        volatile T a, b, c, x = 0;                                                                                    \
        memcpy((void *)&a, r->operand[0], sizeof a);                                                                  \
        memcpy((void *)&b, r->operand[1], sizeof b);                                                                  \
        memcpy((void *)&c, r->operand[2], sizeof c);                                                                  \
        switch (r->op) {                                                                                              \
        case '+': x = a + b; break;                                                                                   \
        case '-': x = a - b; break;                                                                                   \
        case '*': x = a * b; break;                                                                                   \
        case '/': x = a / b; break;                                                                                   \
        case '%': x = fmod##S(a, b); break;                                                                           \
        case 'r': x = (T)ieee_remainder(a, b); break;                                                                     \
        case 'f': x = fma##S(a, b, c); break;                                                                         \
        case 's': x = sqrt##S(a); break;                                                                              \
        case 'n': x = nearbyint##S(a); break;                                                                         \
        case '<': *out = (unsigned char)((a < b) | (a == b) << 1 | (a > b) << 2 | (a != a || b != b) << 3); return;   \
        case 'c':                                                                                                     \
            if (r->to == 'f') {                                                                                       \
                volatile float y = (float)a;                                                                          \
                memcpy(out, (void *)&y, sizeof y);                                                                    \
            } else if (r->to == 'd') {                                                                                \
                volatile double y = (double)a;                                                                        \
                memcpy(out, (void *)&y, sizeof y);                                                                    \
            } else if (r->to == 'x') {                                                                                \
                volatile long double y = a;                                                                           \
                memcpy(out, (void *)&y, 10);                                                                          \
            } else if (r->to == 'i') {                                                                                \
                volatile int64_t y = (int64_t)a;                                                                      \
                memcpy(out, (void *)&y, sizeof y);                                                                    \
            } else if (r->to == 'j') {                                                                                \
                volatile int32_t y = (int32_t)a;                                                                      \
                memcpy(out, (void *)&y, sizeof y);                                                                    \
            } else if (r->to == 'v') {                                                                                \
                volatile uint32_t y = (uint32_t)a;                                                                    \
                memcpy(out, (void *)&y, sizeof y);                                                                    \
            } else {                                                                                                  \
                volatile uint64_t y = (uint64_t)a;                                                                    \
                memcpy(out, (void *)&y, sizeof y);                                                                    \
            }                                                                                                         \
            return;                                                                                                   \
        }                                                                                                             \
        T y = x;                                                                                                      \
        memcpy(out, &y, sizeof y == 16 ? 10 : sizeof y);                                                              \
    }

TYPE(float, f)
TYPE(double, )
TYPE(long double, l)

/* From an integer: the type says which one. */
static void run_int(const struct record *r, unsigned char *out)
{
    volatile int64_t i;
    memcpy((void *)&i, r->operand[0], sizeof i);
    volatile uint64_t u = (uint64_t)i;
    volatile int32_t j = (int32_t)i;
    volatile uint32_t v = (uint32_t)i;
    if (r->to == 'f') {
        volatile float y = r->type == 'i' ? (float)i : r->type == 'u' ? (float)u : r->type == 'j' ? (float)j : (float)v;
        memcpy(out, (void *)&y, sizeof y);
    } else if (r->to == 'd') {
        volatile double y =
            r->type == 'i' ? (double)i : r->type == 'u' ? (double)u : r->type == 'j' ? (double)j : (double)v;
        memcpy(out, (void *)&y, sizeof y);
    } else {
        volatile long double y = r->type == 'i' ? (long double)i
            : r->type == 'u'                    ? (long double)u
            : r->type == 'j'                    ? (long double)j
                                                : (long double)v;
        memcpy(out, (void *)&y, 10);
    }
}

int main(void)
{
    static const int modes[] = {FE_TONEAREST, FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    struct record r;
    while (fread(&r, sizeof r, 1, stdin) == 1) {
        unsigned char out[16] = {0};
        fesetround(modes[(int)r.mode]);
        switch (r.type) {
        case 'f': run_f(&r, out); break;
        case 'd': run_(&r, out); break;
        case 'x': run_l(&r, out); break;
        default: run_int(&r, out);
        }
        fesetround(FE_TONEAREST);
        fwrite(out, sizeof out, 1, stdout);
    }
    return 0;
}

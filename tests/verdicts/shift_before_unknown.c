// verdict: UNKNOWN(shown only for executions in which every shift and conversion has a value)
// check: --property unreach-call
// The shift has no value in C, and machines go on after it; the number that leads there is hard to find by running.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), h = n * 2654435761u;
    h ^= h >> 13;
    h *= 0x9E3779B1u;
    if (h == 0x12345678u) {
        int by = 40 + (int)(n & 0), x = 1 << by;
        if (x || !x)
            reach_error();
    }
    return 0;
}

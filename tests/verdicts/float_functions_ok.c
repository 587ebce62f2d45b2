// verdict: TRUE
// check: --property unreach-call
// Functions that are exact by definition.
#include <math.h>
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void)
{
    float x = __VERIFIER_nondet_float();
    if (x >= 0 && x <= 100) {
        float r = sqrtf(x), f = floorf(x);
        if (!(r <= 10) || !(f <= x) || !(x - f < 1) || f != (float)(int)x)
            reach_error();
        if (fminf(x, 3) > 3 || fabsf(-x) != x)
            reach_error();
    }
    return 0;
}

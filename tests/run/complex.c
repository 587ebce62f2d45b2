// Complex arithmetic, conversions, as parameters and results, in structs.
#include "check.h"
#include <complex.h>
static double complex mul(double complex a, double complex b) { return a * b; }
static float complex add(float complex a, float complex b) { return a + b; }
struct c { double complex v; int n; };
static struct c conj_of(struct c s) { s.v = ~s.v; return s; }
int main(void) {
    double complex a = 1 + 2 * I, b = 3 - 1 * I;
    double complex p = mul(a, b);
    CHECK(creal(p) == 5 && cimag(p) == 5);
    CHECK(__real__ a == 1 && __imag__ a == 2);
    float complex s = add(1.5f + 1.0fi, 2.0f);
    CHECK(crealf(s) == 3.5f && cimagf(s) == 1.0f);
    CHECK(a != b && a == 1 + 2 * I);
    struct c c = conj_of((struct c){a, 3});
    CHECK(cimag(c.v) == -2 && c.n == 3);
    double complex q = p / 5;
    CHECK(creal(q) == 1 && cimag(q) == 1);
    __imag__ q = 4;
    CHECK(cimag(-q) == -4 && (double)q == 1);
    long double complex l = 2.0L + 1.0L * I;
    CHECK(creall(l + l) == 4.0L && cimagl(l * 2) == 2.0L);
    return DONE;
}

// A product and a sum are rounded once where they are one expression and the machine can do that, else twice.
// diff-options: -mfma
// diff: one equal
double one(double x, double y, double z) { double r = x * y + z; return r; }
// diff: apart changed
double apart(double a, double b, double c) { double t = a * b; return t + c; }
// diff: turned not-equal
double turned(double a, double b, double c) { double t = a * b; t = c + t; return t; }
// diff: wide equal
long double wide(long double a, long double b, long double c) { long double t = a * b; return t + c; }

// A product and a sum are rounded once where they are one expression and the machine can do that, else twice.
double one(double a, double b, double c) { return a * b + c; }
double apart(double a, double b, double c) { return a * b + c; }
double turned(double a, double b, double c) { return a * b + c; }
long double wide(long double a, long double b, long double c) { return a * b + c; }

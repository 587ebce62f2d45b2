// How parameters and results are passed is part of a function, and of a call.
// diff: result equal
// diff: result_near not-equal
// diff: parameter equal
// diff: parameter_near not-equal
// diff: convention equal
// diff: convention_near not-equal
// diff: hands_on equal
// diff: hands_on_near not-equal
// diff: by_pointer equal
// diff: by_pointer_near not-equal
#define ms __attribute__((ms_abi))
signed char result(int x) { return (signed char)x; }
unsigned char result_near(int x) { return x; }
int parameter(short x) { return !!x; }
int parameter_near(unsigned short x) { return x != 0; }
int convention(int a, int b) { int r = a - b; return r; }
ms int convention_near(int a, int b) { return a - b; }
void outside(signed char);
void outside_near(unsigned char);
void hands_on(int x) { outside(x); }
void hands_on_near(int x) { outside_near((unsigned char)x); }
int by_pointer(int (*ms p)(int), int y) { return p(y); }
int by_pointer_near(int (*p)(int), int x) { return p(x); }

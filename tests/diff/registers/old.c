#define ms __attribute__((ms_abi))
signed char result(int x) { return x; }
signed char result_near(int x) { return x; }
int parameter(short x) { return x != 0; }
int parameter_near(short x) { return x != 0; }
int convention(int a, int b) { return a - b; }
int convention_near(int a, int b) { return a - b; }
void outside(signed char);
void outside_near(signed char);
void hands_on(int x) { outside((signed char)x); }
void hands_on_near(int x) { outside_near((signed char)x); }
int by_pointer(int (*ms p)(int), int x) { return p(x); }
int by_pointer_near(int (*ms p)(int), int x) { return p(x); }

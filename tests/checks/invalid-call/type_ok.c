// Cast there and back; chosen from a table; a generic callback.
typedef int binary(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int apply(void (*generic)(void), int a, int b) { return ((binary *)generic)(a, b); }
static binary *const table[] = {add, sub};
int main(void) { return apply((void (*)(void))add, 1, 2) + table[1](1, 2) != 2; }

// diff: set equal
// diff: swap not-equal
// diff: get not-equal
// diff: reads_state not-equal
// diff: keeps equal
// diff: local equal
// diff: device not-equal
struct s { int a; int b; };
static int state = 2;
int global = 3;
static const int table[4] = {1, 2, 3, 5};
void set(struct s *p, int v) { p->b = v; p->a = v; }
// Not the same when both are one object.
void swap(int *x, int *y) { *x = *x ^ *y; *y = *x ^ *y; *x = *x ^ *y; }
int get(int i) { return table[i & 3]; }
int reads_state(void) { return state; }
void keeps(int *p) { ++*p; }
int local(int a) { return a + 5; }
volatile int port;
int device(void) { int a = port; return a + a; }

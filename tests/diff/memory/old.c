struct s { int a; int b; };
static int state = 1;
int global = 3;
static const int table[4] = {1, 2, 3, 4};
void set(struct s *p, int v) { p->a = v; p->b = v; }
void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }
int get(int i) { return table[i & 3]; }
int reads_state(void) { return state; }
void keeps(int *p) { *p = *p + 1; }
int local(int a) { int t[2]; t[0] = a; t[1] = 5; return t[0] + t[1]; }
volatile int port;
int device(void) { int a = port; return a + port; }

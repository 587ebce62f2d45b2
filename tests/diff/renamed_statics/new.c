// Static variables that go by another name, and ones that are others.
// diff: count equal
// diff: reset equal
static int counted;
int count(void) { return ++counted; }
void reset(void) { counted = 0; }
// diff: text equal
static char out[16];
char *text(int v) { out[1] = 0; out[0] = v; return out; }
// diff: through equal
static short y = 3;
static short *p = &y;
int through(void) { return *p; }
void aim(short *q) { p = q; }
void put(int v) { y = v; }
// diff: moved_in equal
long moved_in(void) { static long calls; return calls++; }
// diff: table equal
static const unsigned char bits[4] = { 1, 2, 4, 8 };
int table(unsigned i) { return bits[i % 4]; }
// diff: two_g not-equal
// diff: two_f not-equal
static char cc, cd;
int two_f(void) { return cd; }
void two_set(int x) { cc = x; cd = 2; }
int two_g(void) { return cc; }
// diff: begins not-equal
static int c1 = 2;
int begins(void) { return c1; }
void begins_set(int x) { c1 = x; }
// diff: swapped not-equal
static int s1 = 12, s2 = 11;
int swapped(void) { return s1; }
void swap_a(int x) { s1 = x; }
void swap_b(int x) { s2 = x; }
// diff: stored not-equal
static int w2 = 21;
int stored_get(void) { return w2; }
void stored(int v) { w2 = v + 1u; }
// diff: longer changed
static char of_size[9] = "a";
unsigned long longer(void) { return sizeof of_size + (unsigned long)*of_size; }
void longer_set(char c) { *of_size = c; }
// diff: own not-equal
static _Thread_local int mine = 31;
int own(void) { return mine; }
void own_set(int v) { mine = v; }
// diff: seen not-equal
int open = 41;
int seen(void) { return open; }
void seen_set(int v) { open = v; }

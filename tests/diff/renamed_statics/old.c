static int n;
int count(void) { n++; return n; }
void reset(void) { n = 0; }
static char buf[16];
char *text(int v) { buf[0] = v; buf[1] = 0; return buf; }
static short x = 3;
static short *p = &x;
int through(void) { return *p; }
void aim(short *q) { p = q; }
void put(int v) { x = v; }
static long calls;
long moved_in(void) { return calls++; }
static const unsigned char tab[4] = { 1, 2, 4, 8 };
int table(unsigned i) { return tab[i & 3]; }
static char ca, cb;
int two_f(void) { return ca; }
void two_set(int x) { ca = x; cb = 2; }
int two_g(void) { return cb; }
static int a1 = 1;
int begins(void) { return a1; }
void begins_set(int x) { a1 = x; }
static int s1 = 11, s2 = 12;
int swapped(void) { return s1; }
void swap_a(int x) { s1 = x; }
void swap_b(int x) { s2 = x; }
static int w1 = 21;
int stored_get(void) { return w1; }
void stored(int v) { w1 = v; }
static char sized[8] = "a";
unsigned long longer(void) { return sizeof sized + (unsigned long)*sized; }
void longer_set(char c) { *sized = c; }
static int shared = 31;
int own(void) { return shared; }
void own_set(int v) { shared = v; }
static int hidden = 41;
int seen(void) { return hidden; }
void seen_set(int v) { hidden = v; }

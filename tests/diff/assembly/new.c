// Assembly that is not `volatile` and names no memory is a function of its operands; other assembly is as it stands.
// diff: error equal
// diff: error_near not-equal
// diff: fail equal
// diff: twice equal
// diff: across equal
// diff: across_near not-equal
// diff: flip equal
// diff: flip_near not-equal
// diff: more not-equal
// diff: now equal
// diff: now_near not-equal
// diff: load not-equal
struct thread { int id, error; };
static inline unsigned long pointer(void) { unsigned long p; __asm__("mov %%fs:0, %0" : "=r"(p)); return p; }
#define self() ((struct thread *)pointer())
void tick(void);
int *error(void) { return &self()->error; }
int *error_near(void) { return &self()->id; }
void fail(int x) { struct thread *p = self(); p->error = x; p->id = 1; }
int twice(void) { return 2 * self()->id; }
int across(void) { struct thread *p = self(); int a = p->id; tick(); return a; }
int across_near(void) { tick(); return self()->id; }
unsigned flip(unsigned x) { unsigned y; if (x == 3) { __asm__("bswap %0" : "=r"(y) : "0"(x)); return y; } __asm__("bswap %0" : "=r"(y) : "0"(x)); return y; }
unsigned flip_near(unsigned x) { unsigned y; __asm__("bswap %0" : "=r"(y) : "0"(x + 1)); return y; }
unsigned more(unsigned x) { unsigned y; __asm__("bswap %0" : "=r"(y) : "0"(x)); return x; }
unsigned long now(void) { unsigned long t; __asm__ volatile("rdtsc" : "=a"(t) : : "rdx"); return t + 0; }
unsigned long now_near(void) { unsigned long t; __asm__("rdtsc" : "=a"(t) : : "rdx"); return t; }
int load(int *p) { int x; *p = 1; __asm__("mov (%1), %0" : "=r"(x) : "r"(p)); return x; }

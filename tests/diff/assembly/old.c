struct thread { int id, error; };
static inline struct thread *self(void) { struct thread *p; __asm__("mov %%fs:0, %0" : "=r"(p)); return p; }
void tick(void);
int *error(void) { return &self()->error; }
int *error_near(void) { return &self()->error; }
void fail(int x) { self()->error = x; self()->id = 1; }
int twice(void) { int a = self()->id; return a + self()->id; }
int across(void) { int a = self()->id; tick(); return a; }
int across_near(void) { struct thread *p = self(); tick(); return p->id; }
unsigned flip(unsigned x) { unsigned y; __asm__("bswap %0" : "=r"(y) : "0"(x)); return y; }
unsigned flip_near(unsigned x) { unsigned y; __asm__("bswap %0" : "=r"(y) : "0"(x)); return y; }
unsigned more(unsigned x) { return x; }
unsigned long now(void) { unsigned long t; __asm__ volatile("rdtsc" : "=a"(t) : : "rdx"); return t; }
unsigned long now_near(void) { unsigned long t; __asm__ volatile("rdtsc" : "=a"(t) : : "rdx"); return t; }
int load(int *p) { int x; __asm__("mov (%1), %0" : "=r"(x) : "r"(p)); *p = 1; return x; }

int level;
static void one(void) { level = 1; }
static void two(void) { level = 2; }
typedef void (*entry)(void);
__attribute__((used, section(".init_array"))) static entry first = one;
__attribute__((used, section(".fini_array"))) static entry last = one;
int main(void) { return level + (last == two); }

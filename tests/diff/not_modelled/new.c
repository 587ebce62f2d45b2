// Of what is not modelled the same code is the same, and other code is another.
// diff: control equal
// diff: control_near not-equal
// diff: called equal
// diff: called_near not-equal
// diff: bare equal
// diff: bare_near not-equal
// diff: through not-equal
// diff: elsewhere equal
// diff: elsewhere_near not-equal
// diff: fixed equal
// diff: fixed_near not-equal
// diff: converted equal
// diff: converted_near not-equal
// diff: first not-equal
#define in_thread __attribute__((address_space(256)))
void control(void) { __builtin_ia32_ldmxcsr(0x1f80); }
void control_near(void) { __builtin_ia32_ldmxcsr(0x7f80); }
static int helper(int x) { return x + 1; }
static int helper_near(int x) { return x + 2; }
void called(int y) { __builtin_ia32_ldmxcsr(helper(y)); }
void called_near(int x) { __builtin_ia32_ldmxcsr(helper_near(x)); }
__attribute__((naked)) int bare(int x) { __asm__("leal 1(%rdi), %eax; ret"); }
__attribute__((naked)) int bare_near(int x) { __asm__("leal 2(%rdi), %eax; ret"); }
int through(int x) { return bare_near(x); }
int elsewhere(int in_thread *q) { return *q + 1; }
int elsewhere_near(int in_thread *p) { return *p + 2; }
int fixed(void) { return *(int in_thread *)40; }
int fixed_near(void) { return *(int *)40; }
long converted(int in_thread *p) { return (long)(int *)p; }
long converted_near(int in_thread *p) { return (long)p; }
int *table[1] = {(int *)(int in_thread *)80};
int **first(void) { return table; }

extern int ext(int);
extern void log_it(const char *, int);
static int helper(int a) { return a * 2; }
int uses_helper(int a) { return helper(a) + 1; }
int order(int a) { int x = ext(1); int y = ext(2); return a + x + y; }
int condition(int a) { if (a > 3) return ext(a); return ext(a + 1); }
void message(int a) { log_it("old text", a); }
int skipped(int a) { ext(a); return 0; }
int twice(int a) { return ext(a); }
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
static int before(int a) { return a ^ 5; }
int renamed(int a) { return before(a); }

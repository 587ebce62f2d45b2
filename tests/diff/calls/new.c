// diff: uses_helper equal
// diff: order not-equal
// diff: condition equal
// diff: message not-equal
// diff: skipped not-equal
// diff: twice not-equal
// diff: fact equal
// diff: renamed equal
extern int ext(int);
extern void log_it(const char *, int);
int uses_helper(int a) { return a * 2 + 1; }
int order(int a) { int y = ext(2); int x = ext(1); return a + x + y; }
int condition(int a) {
    if (a <= 3) a = a + 1;
    return ext(a);
}
void message(int a) { log_it("new text", a); }
int skipped(int a) { return 0; }
int twice(int a) { ext(a); return ext(a); }
int fact(int n) {
    if (n > 1) return fact(n - 1) * n;
    return 1;
}
static int after(int a) { return a ^ 5; }
int renamed(int a) { return after(a); }

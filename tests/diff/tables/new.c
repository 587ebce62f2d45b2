// A table of constants in the place of a `switch`, and near misses: another entry, another bound, another member.
// diff: digits equal
// diff: digits_near changed
// diff: digits_bound not-equal
// diff: name equal
// diff: name_near changed
// diff: letter equal
// diff: chosen_near changed
// diff: second equal
// diff: second_near changed
// diff: unaligned changed
static int twice(int x) { return x & 7; }
static int less(int x) { return x ^ 1; }
int digits(int x) { static const int t[] = {3, 5, 9, 2}; return x < 0 || x > 3 ? 0 : t[x]; }
int digits_near(int x) { static const int t[] = {3, 5, 8, 2}; return x < 0 || x > 3 ? 0 : t[x]; }
int digits_bound(int x) { static const int t[] = {3, 5, 9}; return x < 0 || x > 3 ? 0 : t[x]; }
const char *name(unsigned k) { static const char *const t[] = {"red", "green", "blue"}; return t[k > 2 ? 2 : k]; }
const char *name_near(unsigned k) { static const char *const t[] = {"red", "blue", "green"}; return t[k > 2 ? 2 : k]; }
char letter(unsigned k) { return "ace"[k & 3]; }
static int (*const all[])(int) = {twice, less};
int chosen(unsigned k, int x) { return k & 1 ? all[1](x) : all[0](x); }
int chosen_near(unsigned k, int x) { return k & 1 ? all[0](x) : all[1](x); }
static const struct { int a, b; } both[] = {{1, 20}, {2, 40}};
int second(unsigned k) { return both[k & 1].b; }
int second_near(unsigned k) { return both[k & 1].a; }
static const unsigned char raw[] = {0, 0, 1, 0, 2, 0, 3, 0, 0};
int unaligned(unsigned k) { short v; __builtin_memcpy(&v, raw + 2 * (k & 3) + 1, 2); return v; }

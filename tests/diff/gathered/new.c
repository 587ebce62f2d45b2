// What the linker gathers in a section, and marks with `__start_SECTION` and `__stop_SECTION`, is found there by the code
// that walks over it, and lies where variables with names of their own do.
struct entry { int (*run)(int); };
static int first(int x) { return x + 1; }
static int second(int x) { return x + 2; }
static int third(int x) { return x + 4; }

extern const struct entry __start_moved[], __stop_moved[];
__attribute__((section("elsewhere"), used)) static const struct entry moved = {first};
// diff: runs_moved not-equal
int runs_moved(int x)
{
    for (const struct entry *e = __start_moved; e < __stop_moved; e++)
        x = e->run(x);
    return x;
}

extern const struct entry __start_turned[], __stop_turned[];
__attribute__((section("turned"), used)) static const struct entry two = {second}, one = {first};
// diff: runs_turned not-equal
int runs_turned(int x)
{
    for (const struct entry *e = __start_turned; e < __stop_turned; e++)
        x = e->run(x);
    return x;
}

extern const struct entry __start_below[], __stop_below[];
__attribute__((section("below"), used)) static const struct entry below = {third};
// diff: runs_below not-equal
int runs_below(int x) { return __start_below->run(x); }

extern const struct entry __start_kept[], __stop_kept[];
__attribute__((section("kept"), used)) static const struct entry kept = {second};
// diff: runs_kept equal
int runs_kept(int x) { return __start_kept->run(x); }

extern int __start_numbers[], __stop_numbers[];
__attribute__((section("numbers"), used)) int number = 7;
// diff: reads_first not-equal
int reads_first(void)
{
    number = 1;
    return *__start_numbers;
}
// diff: is_empty not-equal
int is_empty(void) { return 0; }

// diff: placed differs
__attribute__((section("there"))) int placed = 1;

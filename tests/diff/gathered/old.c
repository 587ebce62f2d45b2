// Versions of the functions in `new.c`.
struct entry { int (*run)(int); };
static int first(int x) { return x + 1; }
static int second(int x) { return x + 2; }
static int third(int x) { return x + 3; }

extern const struct entry __start_moved[], __stop_moved[];
__attribute__((section("moved"), used)) static const struct entry moved = {first};
int runs_moved(int x)
{
    for (const struct entry *e = __start_moved; e < __stop_moved; e++)
        x = e->run(x);
    return x;
}

extern const struct entry __start_turned[], __stop_turned[];
__attribute__((section("turned"), used)) static const struct entry one = {first}, two = {second};
int runs_turned(int x)
{
    for (const struct entry *e = __start_turned; e < __stop_turned; e++)
        x = e->run(x);
    return x;
}

extern const struct entry __start_below[], __stop_below[];
__attribute__((section("below"), used)) static const struct entry below = {third};
int runs_below(int x) { return __start_below->run(x); }

extern const struct entry __start_kept[], __stop_kept[];
__attribute__((section("kept"), used)) static const struct entry kept = {second};
int runs_kept(int x) { return __start_kept->run(x); }

extern int __start_numbers[], __stop_numbers[];
__attribute__((section("numbers"), used)) int number = 7;
int reads_first(void)
{
    int n = *__start_numbers;
    number = 1;
    return n;
}
int is_empty(void) { return __start_numbers == __stop_numbers; }

__attribute__((section("here"))) int placed = 1;

// What gcc takes and clang calls an error is captured, and compiled for a replay.
// replay: lenient.c:12:15:div-by-zero
// replay: confirmed by execution: division by zero at lenient.c:12
static void nothing(void) {}
static void (*ends)(void) __attribute__((noreturn));

int main(int argc, char **argv)
{
    int d = argc > 5 ? 1 : 0;
    ends = nothing;
    hidden(d);
    return 10 / d;
}
int hidden(int d) { return d; }

// The only execution says what holds, also where code that it does not run asks where objects lie.
// check: --property unreach-call
// verdict: TRUE
extern void reach_error(void);

static int ways(int n, const char *where, const char *other)
{
    if (n < 0)
        return where < other;
    return n < 2 ? n : ways(n - 1, where, other) + ways(n - 2, where, other);
}

int main(void)
{
    char a, b;
    if (ways(21, &a, &b) != 10946)
        reach_error();
    return 0;
}

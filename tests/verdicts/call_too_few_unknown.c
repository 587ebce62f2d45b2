// verdict: UNKNOWN(an execution ends before, by invalid-call in line 11)
// check: --property valid-deref --timeout 20
// A call with fewer arguments than the function takes is undefined, but no access to memory.
static int first(int x, int y)
{
    return x + 0 * y;
}

static int run(int (*f)())
{
    return f(5);
}

int main(void)
{
    return run((int (*)())first);
}

// verdict: UNKNOWN(abstraction: may fail for all that is known)
// check: --property unreach-call --timeout 20
// Two literals may share memory where their contents allow it (C11 6.4.5p7); compilers and linkers let them.
extern void reach_error(void);
int main(void)
{
    const char *a = "xabc", *b = "abc";
    if (a + 1 == b)
        reach_error();
    return 0;
}

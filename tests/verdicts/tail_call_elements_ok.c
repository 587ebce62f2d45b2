// verdict: TRUE
// check: --property unreach-call --property valid-memsafety
// Elements of an array that one function fills and another one looks at, both by calling themselves last.
extern void reach_error(void);
static void fill(unsigned (*a)[5000], unsigned *i)
{
    if (*i < 5000) {
        (*a)[*i] = *i + 7;
        *i = *i + 1;
        fill(a, i);
    }
}
static int look(unsigned (*a)[5000], unsigned i)
{
    if (i == 5000)
        return 1;
    if ((*a)[i] != i + 7)
        return 0;
    return look(a, i + 1);
}
int main(void)
{
    unsigned a[5000], i = 0;
    fill(&a, &i);
    if (!look(&a, 0))
        reach_error();
    return 0;
}

/* What a function does to its copy of an argument, its caller does not see; also where it calls itself. */
struct big { int *p; int rest[10]; };
static int depth(struct big b, int n)
{
    static int one = 1;
    b.p = &one;
    return n > 0 ? depth(b, n - 1) : *b.p;
}
static void clear(struct big *b)
{
    b->p = 0;
}
int main(void)
{
    struct big b = {0};
    clear(&b);
    int d = depth(b, 3);
    return d + *b.p; //~ violated[null-deref]
}

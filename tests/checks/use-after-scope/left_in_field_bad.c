/* What a function leaves in a field is the address of its own variable. */
struct box { int *p; };
static void set(struct box *b)
{
    int local = 5;
    b->p = &local;
}
int main(void)
{
    struct box b;
    set(&b);
    return *b.p; //~ violated[use-after-scope]
}

// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// A store through another pointer changes what the field holds.
struct box { int *p; };
static void clear(struct box **where) { (*where)->p = 0; }
int main(void)
{
    int x = 0;
    struct box b, *q = &b;
    b.p = &x;
    *b.p = 1;
    clear(&q);
    return *b.p;
}

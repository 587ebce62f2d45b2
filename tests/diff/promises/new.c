// What declarations promise (`restrict`, `nonnull`, `pure`, ...) and no run checks: a version that promises more than the
// old one is not equal to it, one that promises less may be. Nor is a promise believed of code that is there.
// diff: fills unknown by promises more
void fills(int *restrict p, int *restrict q) { *p = 1; *q = 2; *p = 3; }
// diff: fills_less equal
void fills_less(int *p, int *restrict q) { *p = 1; *q = 2; *p = 3; }
// diff: fills_by_name unknown by promises more
void fills_by_name(int *p, int *q)
{
    int *restrict to = p;
    *to = *q;
}
// diff: is_there unknown by promises more
__attribute__((nonnull)) int is_there(int *p) { return p != 0; }
// diff: is_there_still equal
int is_there_still(int *p) { return p != 0; }
// diff: same changed
__attribute__((returns_nonnull)) int *same(int *p) { return p; }

__attribute__((const)) int outside(int);
// diff: uses_outside unknown by promises more
int uses_outside(int x) { return outside(x) + outside(x); }
__attribute__((returns_nonnull)) int *find(int);
// diff: found unknown by promises more
int found(int x) { return find(x) != 0; }
int *find_any(int);
// diff: found_any equal
int found_any(int x) { return *find_any(x); }

int calls;
// diff: counted unknown by promises more
__attribute__((pure)) int counted(int x) { calls++; return x; }
// diff: uses_counted unknown by counted
int uses_counted(int x) { return counted(x); }

// diff: remembers equal
__attribute__((pure)) int remembers(int x) { calls++; return x; }
// diff: around_it not-equal
int around_it(unsigned x)
{
    if (x * 2654435761u + (x >> 7) * 40503u == 123456789u)
        remembers(1);
    return calls;
}

// diff: hook equal
__attribute__((weak)) int hook(int x) { return x; }
// diff: around_hook not-equal
int around_hook(int x)
{
    hook(x);
    return calls;
}

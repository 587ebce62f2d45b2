// Versions of the functions in `new.c`.
void fills(int *p, int *q) { *p = 1; *q = 2; *p = 3; }
void fills_less(int *restrict p, int *restrict q) { *p = 1; *q = 2; *p = 3; }
void fills_by_name(int *p, int *q)
{
    int *to = p;
    *to = *q;
}
int is_there(int *p) { return p != 0; }
__attribute__((nonnull)) int is_there_still(int *p) { return p != 0; }
int *same(int *p) { return p; }

int outside(int);
int uses_outside(int x) { return outside(x) + outside(x); }
int *find(int);
int found(int x) { return find(x) != 0; }
__attribute__((returns_nonnull)) int *find_any(int);
int found_any(int x) { return *find_any(x); }

int calls;
int counted(int x) { calls++; return x; }
int uses_counted(int x) { return counted(x); }

// The attribute is wrong in both versions.
__attribute__((pure)) int remembers(int x) { calls++; return x; }
int around_it(unsigned x)
{
    int before = calls;
    if (x * 2654435761u + (x >> 7) * 40503u == 123456789u)
        remembers(1);
    return before;
}

__attribute__((weak)) int hook(int x) { return x; }
int around_hook(int x)
{
    int before = calls;
    hook(x);
    return before;
}

// Loops in other places.
struct node {
    struct node *next;
    int value;
};

int taken_out(int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s ^= a[i];
    return s & 255;
}

static int of_all(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s ^= a[i];
    return s;
}

int put_in(int *a, int n)
{
    return of_all(a, n) & 255;
}

int other_sum(int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s ^= a[i];
    return s & 255;
}

static unsigned greatest(unsigned a, unsigned b)
{
    if (b == 0)
        return a;
    return greatest(b, a % b);
}

unsigned divisor(unsigned a, unsigned b)
{
    return greatest(a, b);
}

unsigned divided(unsigned a, unsigned b)
{
    return b == 0 ? a : divided(b, a % b);
}

unsigned other_end(unsigned a, unsigned b)
{
    return b == 0 ? a : other_end(b, a % b);
}

int found(const struct node *p, int v)
{
    if (!p)
        return 0;
    if (p->value == v)
        return 1;
    return found(p->next, v);
}

int decided(int *a, int n, int m)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (m)
            s ^= a[i];
        else
            s |= a[i];
    }
    return s;
}

int other_branch(int *a, int n, int m)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (m)
            s ^= a[i];
        else
            s |= a[i];
    }
    return s;
}

int fenced(int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s ^= a[i];
    return s;
}

// Loops in other places.
struct node {
    struct node *next;
    int value;
};

static int sum(const int *a, int n)
{
    int s = 0, i = 0;
    while (i < n) {
        s = a[i] ^ s;
        i++;
    }
    return s;
}

// diff: taken_out equal by solver
int taken_out(int *a, int n)
{
    return (unsigned char)sum(a, n);
}

// diff: put_in equal by structure
int put_in(int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s ^= a[i];
    return s & 255;
}

static int others(const int *a, int n)
{
    int s = 0;
    for (int i = 1; i < n; i++)
        s ^= a[i];
    return s;
}

// diff: other_sum changed
int other_sum(int *a, int n)
{
    return others(a, n) & 255;
}

// diff: divisor equal by solver
unsigned divisor(unsigned a, unsigned b)
{
    while (b) {
        unsigned r = a % b;
        a = b;
        b = r;
    }
    return a;
}

// diff: divided equal by solver
unsigned divided(unsigned a, unsigned b)
{
    while (b) {
        unsigned r = a % b;
        a = b;
        b = r;
    }
    return a;
}

// diff: other_end changed
unsigned other_end(unsigned a, unsigned b)
{
    while (b > 1) {
        unsigned r = a % b;
        a = b;
        b = r;
    }
    return a;
}

// diff: found equal by solver
int found(const struct node *p, int v)
{
    for (; p; p = p->next)
        if (p->value == v)
            return 1;
    return 0;
}

// diff: decided equal by solver
int decided(int *a, int n, int m)
{
    int s = 0;
    if (m) {
        for (int i = 0; i < n; i++)
            s ^= a[i];
    } else {
        for (int i = 0; i < n; i++)
            s |= a[i];
    }
    return s;
}

// diff: other_branch changed
int other_branch(int *a, int n, int m)
{
    int s = 0;
    if (m) {
        for (int i = 0; i < n; i++)
            s ^= a[i];
    } else {
        for (int i = 0; i < n; i++)
            s &= a[i];
    }
    return s;
}

static int behind_fence(const int *a, int n)
{
    int s = 0;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (int i = 0; i < n; i++)
        s ^= a[i];
    return s;
}

// diff: fenced unknown
int fenced(int *a, int n)
{
    return behind_fence(a, n);
}

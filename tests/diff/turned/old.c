// Code that differs in order and writing only, in functions that no proof gets through: strange loops, many calls.
struct node { struct node *next; int key, count; unsigned flags; };
extern int visit(struct node *n);
extern void note(int a, int b);

int walk(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
        k += n->key;
    in:
        if (n->key > n->count && visit(n))
            break;
        if (!n->next)
            return k;
        n = n->next;
    }
    return k + n->count;
}

int walk_less(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
        k += n->key;
    in:
        if (n->key > n->count && visit(n))
            break;
        n = n->next;
    }
    return k;
}

int walk_swapped(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
        k += n->key;
    in:
        note(n->key, n->count);
        n = n->next;
    }
    return k;
}

int walk_moved_read(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        k += visit(n);
        k += n->count;
    }
    return k;
}

int walk_other_way(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        if (n->flags < n->key)
            k += visit(n);
        else
            k += 1;
    }
    return k;
}

int walk_unsigned(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        if (n->count < n->key)
            k += visit(n);
    }
    return k;
}

int walk_two_reads(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        k = n->count - n->key;
        n->count = visit(n);
    }
    return k;
}

int walk_float(const double *p, double x, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        if (p[k] < x)
            k += 2;
        k++;
    }
    return k;
}

int walk_not_float(const double *p, double x, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        if (p[k] < x)
            k += 2;
        k++;
    }
    return k;
}

int walk_cases(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        switch (n->key) {
        case 1: k += 2; break;
        case 2: visit(n); break;
        default: k++;
        }
    }
    return k;
}

int walk_cases_mixed(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        switch (n->key) {
        case 1: k += 2; break;
        case 2: visit(n); break;
        default: k++;
        }
    }
    return k;
}

int walk_divides(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        visit(n);
        k += limit / n->key;
    }
    return k;
}

int walk_volatile(volatile int *p, volatile int *q, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        if (*p < *q)
            k++;
        k++;
    }
    return k;
}

int run_code(const unsigned char *p, int n) {
    static void *const labels[] = { &&stop, &&more, &&less, &&skip };
    int k = 0;
    goto *labels[*p & 3];
more:
    if (k < n)
        k += visit(0);
    goto *labels[*++p & 3];
less:
    k -= 1;
    goto *labels[*++p & 3];
skip:
    p++;
    goto *labels[*++p & 3];
stop:
    return k;
}

int run_code_mixed(const unsigned char *p, int n) {
    static void *const labels[] = { &&stop, &&more, &&less, &&skip };
    int k = 0;
    goto *labels[*p & 3];
more:
    if (k < n)
        k += visit(0);
    goto *labels[*++p & 3];
less:
    k -= 1;
    goto *labels[*++p & 3];
skip:
    p++;
    goto *labels[*++p & 3];
stop:
    return k;
}

int passed_on(const int *a, int n, int m) {
    int best = 0, k = n & 1 ? 3 : 5;
    if (m > 7)
        k = m;
    goto in;
    for (;;) {
        if (k > n)
            best = k;
    in:
        for (int i = 0; i < k; i++)
            if (a[i] < best && visit(0))
                best = a[i];
        if (best == m)
            break;
        k--;
    }
    return best + k;
}

int passed_on_less(const int *a, int n, int m) {
    int best = 0, k = n & 1 ? 3 : 5;
    if (m > 7)
        k = m;
    goto in;
    for (;;) {
        if (k > n)
            best = k;
    in:
        for (int i = 0; i < k; i++)
            if (a[i] < best && visit(0))
                best = a[i];
        if (best == m)
            break;
        k--;
    }
    return best + k;
}

double weighted(const double *p, double scale, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum + p[i] * scale;
    return sum;
}

float line(float a, float x, float b) {
    return a * x + b;
}

double gap(double a, double b) {
    return a - b;
}

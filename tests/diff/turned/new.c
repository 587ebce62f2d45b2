// Code that differs in order and writing only, in functions that no proof gets through: strange loops, many calls.
struct node { struct node *next; int key, count; unsigned flags; };
extern int visit(struct node *n);
extern void note(int a, int b);

// diff: walk equal by structure
int walk(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (limit > k) {
        k += n->key;
    in:
        if (!(n->count >= n->key) && visit(n) != 0)
            break;
        if (n->next == 0) {
            int found = k;
            return found;
        }
        n = n->next;
    }
    return n->count + k;
}

// diff: walk_less not-equal
int walk_less(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
        k += n->key;
    in:
        if (n->count <= n->key && visit(n))
            break;
        n = n->next;
    }
    return k;
}

// diff: walk_swapped not-equal
int walk_swapped(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
        k += n->key;
    in:
        note(n->count, n->key);
        n = n->next;
    }
    return k;
}

// diff: walk_moved_read not-equal
int walk_moved_read(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        int c = n->count;
        k += visit(n);
        k += c;
    }
    return k;
}

// diff: walk_other_way equal by structure
int walk_other_way(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        if (n->flags >= n->key)
            k += 1;
        else
            k += visit(n);
    }
    return k;
}

// diff: walk_unsigned not-equal
int walk_unsigned(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        if ((unsigned)n->count < (unsigned)n->key)
            k += visit(n);
    }
    return k;
}

// diff: walk_two_reads not-equal
int walk_two_reads(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        k = n->key - n->count;
        n->count = visit(n);
    }
    return k;
}

// diff: walk_float equal by structure
int walk_float(const double *p, double x, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        if (x > p[k])
            k += 2;
        k++;
    }
    return k;
}

// diff: walk_not_float not-equal
int walk_not_float(const double *p, double x, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        if (!(p[k] >= x))
            k += 2;
        k++;
    }
    return k;
}

// diff: walk_cases equal by structure
int walk_cases(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        switch (n->key) {
        case 2: visit(n); break;
        case 1: k += 2; break;
        default: k++;
        }
    }
    return k;
}

// diff: walk_cases_mixed not-equal
// diff-slow: walk_cases_mixed
int walk_cases_mixed(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        switch (n->key) {
        case 2: k += 2; break;
        case 1: visit(n); break;
        default: k++;
        }
    }
    return k;
}

// diff: walk_divides not-equal
// diff-slow: walk_divides
int walk_divides(struct node *n, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        int q = limit / n->key;
        visit(n);
        k += q;
    }
    return k;
}

// diff: walk_volatile not-equal
int walk_volatile(volatile int *p, volatile int *q, int limit) {
    int k = 0;
    if (limit & 1)
        goto in;
    while (k < limit) {
    in:
        if (*q > *p)
            k++;
        k++;
    }
    return k;
}

// diff: run_code equal by structure
int run_code(const unsigned char *p, int n) {
    static void *const labels[] = { &&stop, &&more, &&less, &&skip };
    int k = 0;
    goto *labels[*p & 3];
more:
    if (n > k)
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

// diff: run_code_mixed not-equal
int run_code_mixed(const unsigned char *p, int n) {
    static void *const labels[] = { &&stop, &&more, &&skip, &&less };
    int k = 0;
    goto *labels[*p & 3];
more:
    if (n > k)
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

// diff: passed_on equal by structure
int passed_on(const int *a, int n, int m) {
    int best = 0, k = n & 1 ? 3 : 5;
    if (m > 7)
        k = m;
    goto in;
    for (;;) {
        if (n < k)
            best = k;
    in:
        for (int i = 0; k > i; i++)
            if (a[i] < best && visit(0))
                best = a[i];
        if (m == best)
            break;
        k--;
    }
    return best + k;
}

// diff: passed_on_less not-equal
int passed_on_less(const int *a, int n, int m) {
    int best = 0, k = n & 1 ? 3 : 5;
    if (m > 7)
        k = m;
    goto in;
    for (;;) {
        if (n <= k)
            best = k;
    in:
        for (int i = 0; k > i; i++)
            if (a[i] < best && visit(0))
                best = a[i];
        if (m == best)
            break;
        k--;
    }
    return best + k;
}

// Which of two NaNs a sum is made of, C leaves open.
// diff: weighted equal by structure
double weighted(const double *p, double scale, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum = scale * p[i] + sum;
    return sum;
}

// diff: line equal
float line(float a, float x, float b) {
    return b + x * a;
}

// diff: gap changed
double gap(double a, double b) {
    return b - a;
}

// Compound literals that are used while their blocks last, anew in each turn, and through calls.
struct point {
    int x, y;
};

static int sum(const struct point *p) {
    return p->x + p->y;
}

static int turns_ok(int n) {
    int t = 0;
    for (int i = 0; i < n && i < 100; i++) {
        struct point *p = &(struct point){i, 1};
        if (i == 7)
            continue;
        if (i == 50)
            break;
        p->y += 1;
        t += sum(p) % 16;
    }
    return t;
}

static int function_ok(int n) {
    struct point *p = &(struct point){1, 2}, *q = &(struct point){3, 4};
    if (n > 2)
        p = q;
    { p->x = 7; }
    return sum(p);
}

static int chosen_ok(int n) {
    if (n > 1) {
        const struct point *p = n > 4 ? &(struct point){1, 2} : &(struct point){2, 3};
        return sum(p);
    }
    return sum(n ? &(struct point){1, 2} : &(struct point){2, 3});
}

static int statement_ok(int n) {
    struct point p = ({
        struct point q = (struct point){n & 7, 1};
        q;
    });
    switch (n) {
    case 1:
        return sum(&(struct point){.x = 1});
    case 2: {
        struct point *r = &(struct point){.y = 2};
        return sum(r) + sum(&p);
    }
    default:
        return sum(&(struct point){.x = 3}) + sum(&p);
    }
}

int main(int argc, char **argv) {
    (void)argv;
    return turns_ok(argc) + function_ok(argc) + chosen_ok(argc) + statement_ok(argc);
}

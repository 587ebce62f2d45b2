void warn(void);
int ask(int);
void tell(int);

// diff: written_behind equal
int written_behind(int n, int *a) {
    if (n <= 1) {
        if (n < 0)
            warn();
        return 0;
    }
    return a[n] = 3;
}

// diff: filled equal
int filled(int n, int *a) {
    if (n <= 1) {
        if (n < 0)
            warn();
        return 0;
    }
    if (n <= 100)
        return a[n] != 0 ? a[n] : (a[n] = ask(n));
    return ask(n + 1);
}

// diff: counted equal
int counted(int n, int *a, int *b) {
    if (n <= 5) {
        *a = n;
        *b = 1;
        return n;
    }
    tell(n);
    *a = n;
    *b = 1;
    return n;
}

/* One bit away. */

// diff: other_value changed
int other_value(int n, int *a) {
    if (n <= 1) {
        if (n < 0)
            warn();
        return 0;
    }
    return a[n] = n == 7 ? 4 : 3;
}

// diff: other_condition changed
int other_condition(int n, int *a) {
    if (n <= 2) {
        if (n < 0)
            warn();
        return 0;
    }
    return a[n] = 3;
}

// diff: written_before not-equal
int written_before(int n, int *a) {
    *a = n;
    if (n > 5)
        tell(n);
    return n;
}

// diff: one_more changed
int one_more(int n, int *a) {
    if (n > 5)
        tell(n);
    *a = n;
    if (n == 6)
        *a = 7;
    return n;
}

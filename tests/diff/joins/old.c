void warn(void);
int ask(int);
void tell(int);

int written_behind(int n, int *a) {
    if (n < 0)
        warn();
    if (n <= 1)
        return 0;
    return a[n] = 3;
}

int filled(int n, int *a) {
    if (n < 0)
        warn();
    if (n <= 1)
        return 0;
    if (n <= 100)
        return a[n] != 0 ? a[n] : (a[n] = ask(n));
    return ask(n + 1);
}

int counted(int n, int *a, int *b) {
    if (n > 5)
        tell(n);
    *a = n;
    *b = 1;
    return n;
}

/* One bit away. */

int other_value(int n, int *a) {
    if (n < 0)
        warn();
    if (n <= 1)
        return 0;
    return a[n] = 3;
}

int other_condition(int n, int *a) {
    if (n < 0)
        warn();
    if (n <= 1)
        return 0;
    return a[n] = 3;
}

int written_before(int n, int *a) {
    if (n > 5)
        tell(n);
    *a = n;
    return n;
}

int one_more(int n, int *a) {
    if (n > 5)
        tell(n);
    *a = n;
    return n;
}

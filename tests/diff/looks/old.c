#include <string.h>

struct text {
    int kind;
    char *value;
};

int twice(const char *s) {
    size_t n = strlen(s);
    return (int)(n + n);
}

int unused(const char *s, int x) {
    strlen(s);
    return x;
}

int hoisted(const char *s, const char *t, int x) {
    int n = 0;
    if (x > 0)
        n = strcmp(s, t);
    return x > 0 && n == 0;
}

char *shorter(struct text *o, const char *s) {
    if (o->kind != 1)
        return 0;
    if (strlen(s) <= strlen(o->value)) {
        strcpy(o->value, s);
        return o->value;
    }
    return 0;
}

int swapped(const char *s, const char *t) {
    size_t n = strlen(s);
    size_t m = strlen(t);
    return n < m;
}

/* One bit away. */

int other_text(const char *s, const char *t) {
    return strlen(s) + 1;
}

int not_called(const char *s, int x) {
    if (x)
        return strlen(s) > 3;
    return 0;
}

int written_between(char *s) {
    size_t n = strlen(s);
    s[0] = 0;
    return n > 0;
}

void use(int);

int called_between(char *s) {
    size_t n = strlen(s);
    use(1);
    return n > 2;
}

static int length(int c) {
    char b[4];
    b[0] = c;
    b[1] = 0;
    return strlen(b);
}

int dead(int c) {
    return length(c);
}

/* Declared to only look. */

int level(int) __attribute__((pure));
int first(const int *) __attribute__((pure));

int two_calls(int x) {
    return level(x) + level(x);
}

int not_needed(int x) {
    level(x + 1);
    return level(x);
}

int around_call(int x) {
    int n = level(x);
    use(2);
    return n;
}

int other_pointer(int *p, int *q) {
    return first(p);
}

int other_argument(int x) {
    return level(x);
}

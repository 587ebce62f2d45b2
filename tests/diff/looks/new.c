#include <string.h>

struct text {
    int kind;
    char *value;
};

// diff: twice equal
int twice(const char *s) {
    return (int)(strlen(s) + strlen(s));
}

// diff: unused equal
int unused(const char *s, int x) {
    if (strlen(s) > 7)
        return x;
    return x;
}

// diff: hoisted equal
int hoisted(const char *s, const char *t, int x) {
    if (x <= 0)
        return 0;
    return !strcmp(s, t);
}

// diff: shorter equal
char *shorter(struct text *o, const char *s) {
    if (o->kind != 1)
        return 0;
    /* Nothing that can be compared: strlen fails there. */
    if (o->value == 0)
        return 0;
    if (strlen(s) <= strlen(o->value)) {
        strcpy(o->value, s);
        return o->value;
    }
    return 0;
}

// diff: swapped equal
int swapped(const char *s, const char *t) {
    size_t m = strlen(t);
    return strlen(s) < m;
}

/* One bit away. */

// diff: other_text not-equal
int other_text(const char *s, const char *t) {
    strlen(t);
    return strlen(s) + 1;
}

// diff: not_called not-equal
int not_called(const char *s, int x) {
    size_t n = strlen(s);
    return x && n > 3;
}

// diff: written_between changed
int written_between(char *s) {
    s[0] = 0;
    return strlen(s) > 0;
}

void use(int);

// diff: called_between not-equal
int called_between(char *s) {
    use(1);
    return strlen(s) > 2;
}

static char *text(int c) {
    char b[4];
    b[0] = c;
    b[1] = 0;
    char *p = b;
    return p;
}

// diff: dead not-equal
int dead(int c) {
    return strlen(text(c));
}

/* Declared to only look. */

int level(int) __attribute__((pure));
int first(const int *) __attribute__((pure));

// diff: two_calls equal
int two_calls(int x) {
    return 2 * level(x);
}

// diff: not_needed equal
int not_needed(int x) {
    return level(x);
}

// diff: around_call not-equal
int around_call(int x) {
    use(2);
    return level(x);
}

// diff: other_pointer not-equal
int other_pointer(int *p, int *q) {
    first(q);
    return first(p);
}

// diff: other_argument not-equal
int other_argument(int x) {
    return level(x + 1);
}

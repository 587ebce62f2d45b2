// A pointer that holds functions only, all of them of the type that is called, from the beginning on. Each stands where more
// than a few instructions are around it.
#include <stdio.h>
#include <stdlib.h>

static void default_handler(size_t n)
{
    fprintf(stderr, "no memory for %zu bytes\n", n);
    exit(1);
}
static void (*handler)(size_t) = default_handler;

static void set_handler(void (*f)(size_t)) { handler = f; }

static void quiet(size_t n) { exit(n > 100 ? 2 : 3); }

static void *allocate(size_t n)
{
    void *p = malloc(n);
    if (!p)
        handler(n); //~ proved
    return p;
}

struct functions {
    void *(*get)(size_t);
    void (*put)(void *);
};
static struct functions memory = {allocate, free};

static struct functions exchange(const struct functions *f)
{
    struct functions old = memory;
    memory = *f;
    return old;
}

static void *doubled(size_t n) { return allocate(2 * n); }

int main(int argc, char **argv)
{
    if (argc > 1)
        set_handler(quiet);
    if (argc > 2) {
        struct functions f = {doubled, free};
        exchange(&f);
    }
    char *p = memory.get(4); //~ proved[invalid-call]
    p[0] = 1;
    memory.put(p); //~ proved[invalid-call]
    return 0;
}

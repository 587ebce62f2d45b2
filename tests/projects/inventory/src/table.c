#include "table.h"

#include <stdlib.h>
#include <string.h>

static unsigned hash(const char *s)
{
    unsigned h = 2166136261u;
    while (*s)
        h = (h ^ (unsigned char)*s++) * 16777619u;
    return h;
}

int table_init(struct table *t, unsigned size)
{
    t->buckets = calloc(size, sizeof *t->buckets);
    t->size = t->buckets ? size : 0;
    t->used = 0;
    return t->buckets != NULL;
}

void table_free(struct table *t)
{
    for (unsigned i = 0; i < t->size; i++) {
        struct item *it = t->buckets[i];
        while (it) {
            struct item *next = it->next;
            item_free(it);
            it = next;
        }
    }
    free(t->buckets);
    t->buckets = NULL;
    t->size = t->used = 0;
}

static struct item **place(const struct table *t, const char *code)
{
    struct item **p = &t->buckets[hash(code) % t->size]; //~ violated[div-by-zero]
    while (*p && strcmp((*p)->code, code) != 0)
        p = &(*p)->next;
    return p;
}

struct item *table_find(const struct table *t, const char *code)
{
    return *place(t, code);
}

int table_add(struct table *t, struct item *it)
{
    struct item **p = place(t, it->code);
    if (*p)
        return 0;
    *p = it;
    t->used++;
    return 1;
}

/* Known bug: the item is freed before it is unlinked. */
int table_remove(struct table *t, const char *code)
{
    struct item **p = place(t, code);
    struct item *it = *p;
    if (!it)
        return 0;
    item_free(it);
    *p = it->next; //~ violated[use-after-free]
    t->used--;
    return 1;
}

void table_each(const struct table *t, void (*f)(struct item *, void *), void *state)
{
    for (unsigned i = 0; i < t->size; i++)
        for (struct item *it = t->buckets[i]; it; it = it->next)
            f(it, state);
}

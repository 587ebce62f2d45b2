/* Items by code: a hash table with chains. */
#ifndef TABLE_H
#define TABLE_H

#include "item.h"

struct table {
    struct item **buckets;
    unsigned size, used;
};

int table_init(struct table *t, unsigned size);
void table_free(struct table *t);
struct item *table_find(const struct table *t, const char *code);
int table_add(struct table *t, struct item *it);
int table_remove(struct table *t, const char *code);
void table_each(const struct table *t, void (*f)(struct item *, void *), void *state);

#endif

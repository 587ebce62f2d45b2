/* qsort and bsearch. The sort is the merge sort of glibc before 2.37: stable, the same comparisons in the same order, so
 * that a program whose comparison has ties, side effects or no consistent order behaves as it does natively. */
#include "internal.h"
#include <stdlib.h>
#include <search.h>

typedef int (*compare3)(const void *, const void *, void *);

struct order {
    int (*plain)(const void *, const void *);
    compare3 with_context;
    void *context;
};

static int compare(const struct order *o, const void *a, const void *b)
{
    return o->plain != NULL ? o->plain(a, b) : o->with_context(a, b, o->context);
}

static void merge_sort(char *base, size_t n, size_t size, char *scratch, const struct order *o)
{
    if (n <= 1)
        return;
    size_t n1 = n / 2, n2 = n - n1;
    char *left = base, *right = base + n1 * size, *out = scratch;
    merge_sort(left, n1, size, scratch, o);
    merge_sort(right, n2, size, scratch, o);
    while (n1 > 0 && n2 > 0) {
        if (compare(o, left, right) <= 0) {
            __builtin_memcpy(out, left, size);
            left += size;
            n1--;
        } else {
            __builtin_memcpy(out, right, size);
            right += size;
            n2--;
        }
        out += size;
    }
    __builtin_memcpy(out, left, n1 * size);
    __builtin_memcpy(base, scratch, (n - n2) * size);
}

static void sort(void *base, size_t n, size_t size, const struct order *o)
{
    if (n <= 1 || size == 0)
        return;
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        __verify_fail("invalid-argument", "the array given to qsort is larger than the address space");
    vm_touch(base, bytes);
    char *scratch = __verify_alloc(bytes, 2 * sizeof(void *), VERIFY_FAMILY_MALLOC);
    merge_sort(base, n, size, scratch, o);
    __verify_free(scratch, VERIFY_FAMILY_MALLOC);
}

void qsort(void *base, size_t n, size_t size, int (*f)(const void *, const void *))
{
    struct order o = {f, NULL, NULL};
    sort(base, n, size, &o);
}

void qsort_r(void *base, size_t n, size_t size, compare3 f, void *context)
{
    struct order o = {NULL, f, context};
    sort(base, n, size, &o);
}

void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*f)(const void *, const void *))
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *p = (const char *)base + middle * size;
        int c = f(key, p);
        if (c < 0)
            high = middle;
        else if (c > 0)
            low = middle + 1;
        else
            return (void *)p;
    }
    return NULL;
}

void *lfind(const void *key, const void *base, size_t *n, size_t size, int (*f)(const void *, const void *))
{
    const char *p = base;
    for (size_t i = 0; i < *n; i++, p += size) {
        if (f(key, p) == 0)
            return (void *)p;
    }
    return NULL;
}

void *lsearch(const void *key, void *base, size_t *n, size_t size, int (*f)(const void *, const void *))
{
    char *p = base;
    for (size_t i = 0; i < *n; i++, p += size) {
        if (f(key, p) == 0)
            return p;
    }
    __builtin_memcpy(p, key, size);
    *n += 1;
    return p;
}

struct link {
    struct link *next, *previous;
};

void insque(void *element, void *after)
{
    struct link *e = element, *a = after;
    if (a == NULL) {
        e->next = NULL;
        e->previous = NULL;
        return;
    }
    e->next = a->next;
    if (a->next != NULL)
        a->next->previous = e;
    a->next = e;
    e->previous = a;
}

void remque(void *element)
{
    struct link *e = element;
    if (e->next != NULL)
        e->next->previous = e->previous;
    if (e->previous != NULL)
        e->previous->next = e->next;
}

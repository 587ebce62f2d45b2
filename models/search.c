/* <search.h>: binary trees and the one hash table. The trees are not balanced, as POSIX allows; so which key a deeper one
 * hangs below, and with it the order of `preorder` and `endorder` visits, is one of those that there may be. */
#include "internal.h"
#include <search.h>
#include <stdlib.h>

/* A program sees a node as a pointer to the pointer to its key. */
struct node {
    const void *key;
    struct node *left, *right;
};

typedef int (*order)(const void *, const void *);

static struct node **place_of(const void *key, struct node **at, order f)
{
    while (*at != NULL) {
        int c = f(key, (*at)->key);
        if (c == 0)
            break;
        at = c < 0 ? &(*at)->left : &(*at)->right;
    }
    return at;
}

void *tsearch(const void *key, void **root, order f)
{
    if (root == NULL)
        return NULL;
    struct node **at = place_of(key, (struct node **)root, f);
    if (*at == NULL) {
        struct node *n = malloc(sizeof *n);
        if (n == NULL)
            return NULL;
        *n = (struct node){key, NULL, NULL};
        *at = n;
    }
    return *at;
}

void *tfind(const void *key, void *const *root, order f)
{
    return root == NULL ? NULL : *place_of(key, (struct node **)root, f);
}

/* The node above the one that went; of the root there is none, and something that is not null is returned. */
void *tdelete(const void *key, void **root, order f)
{
    static struct node none;
    if (root == NULL)
        return NULL;
    struct node **at = (struct node **)root, *above = &none;
    for (;;) {
        struct node *n = *at;
        if (n == NULL)
            return NULL;
        int c = f(key, n->key);
        if (c == 0)
            break;
        above = n;
        at = c < 0 ? &n->left : &n->right;
    }
    struct node *gone = *at;
    if (gone->left != NULL && gone->right != NULL) {
        /* The least of the greater ones takes its place. */
        struct node **next = &gone->right;
        while ((*next)->left != NULL)
            next = &(*next)->left;
        struct node *n = *next;
        *next = n->right;
        n->left = gone->left;
        n->right = gone->right;
        *at = n;
    } else {
        *at = gone->left != NULL ? gone->left : gone->right;
    }
    free(gone);
    return above;
}

static void walk(const struct node *n, void (*visit)(const void *, VISIT, int), int level)
{
    if (n->left == NULL && n->right == NULL) {
        visit(n, leaf, level);
        return;
    }
    visit(n, preorder, level);
    if (n->left != NULL)
        walk(n->left, visit, level + 1);
    visit(n, postorder, level);
    if (n->right != NULL)
        walk(n->right, visit, level + 1);
    visit(n, endorder, level);
}

void twalk(const void *root, void (*visit)(const void *, VISIT, int))
{
    if (root != NULL && visit != NULL)
        walk(root, visit, 0);
}

void tdestroy(void *root, void (*release)(void *))
{
    struct node *n = root;
    if (n == NULL)
        return;
    tdestroy(n->left, release);
    tdestroy(n->right, release);
    release((void *)n->key);
    free(n);
}

/* ---- The hash table: entries in the order in which they came. As many fit as glibc has room for, the next odd prime. */

static int is_prime(size_t n)
{
    for (size_t d = 3; d <= n / d; d += 2) {
        if (n % d == 0)
            return 0;
    }
    return 1;
}

static int make(size_t n, struct hsearch_data *t)
{
    if (t == NULL) {
        errno = EINVAL;
        return 0;
    }
    if (t->table != NULL)
        return 0;
    if (n >= UINT_MAX) {
        errno = ENOMEM;
        return 0;
    }
    if (n < 3)
        n = 3;
    for (n |= 1; !is_prime(n); n += 2)
        ;
    ENTRY *entries = calloc(n + 1, sizeof *entries);
    if (entries == NULL)
        return 0;
    t->table = (void *)entries;
    t->size = (unsigned)n;
    t->filled = 0;
    return 1;
}

static void unmake(struct hsearch_data *t)
{
    if (t == NULL) {
        errno = EINVAL;
        return;
    }
    free(t->table);
    t->table = NULL;
}

static int look(ENTRY item, ACTION action, ENTRY **out, struct hsearch_data *t)
{
    ENTRY *entries = (ENTRY *)t->table;
    (void)vm_strlen(item.key);
    *out = NULL;
    for (unsigned i = 0; i < t->filled; i++) {
        if (vm_strcmp(entries[i].key, item.key) == 0) {
            *out = &entries[i];
            return 1;
        }
    }
    if (action == FIND || t->filled == t->size) {
        errno = action == FIND ? ESRCH : ENOMEM;
        return 0;
    }
    entries[t->filled] = item;
    *out = &entries[t->filled++];
    return 1;
}

static struct hsearch_data the_table;

int hcreate(size_t n) { return make(n, &the_table); }
void hdestroy(void) { unmake(&the_table); }
ENTRY *hsearch(ENTRY item, ACTION action)
{
    ENTRY *found;
    look(item, action, &found, &the_table);
    return found;
}
int hcreate_r(size_t n, struct hsearch_data *t) { return make(n, t); }
void hdestroy_r(struct hsearch_data *t) { unmake(t); }
int hsearch_r(ENTRY item, ACTION action, ENTRY **out, struct hsearch_data *t) { return look(item, action, out, t); }

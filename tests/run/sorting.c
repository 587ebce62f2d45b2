// A program of ordinary C: heap sort, hash table with chains, string building; prints what it found.
// expect-out: 1 2 3 5 8 9 13 21
// expect-out: the:3 cat:1 sat:1 on:1 mat:1 and:1 dog:1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void sift(int *a, int i, int n) {
    for (int k; (k = 2 * i + 1) < n; i = k) {
        if (k + 1 < n && a[k + 1] > a[k]) k++;
        if (a[i] >= a[k]) return;
        int t = a[i]; a[i] = a[k]; a[k] = t;
    }
}
static void heap_sort(int *a, int n) {
    for (int i = n / 2 - 1; i >= 0; i--) sift(a, i, n);
    for (int i = n - 1; i > 0; i--) { int t = a[0]; a[0] = a[i]; a[i] = t; sift(a, 0, i); }
}
struct entry { char *word; int count; struct entry *next, *order; };
static struct entry *buckets[7], *first, **last = &first;
static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 + (unsigned char)*s++; return h; }
static struct entry *lookup(const char *w, size_t n) {
    char key[16];
    if (n >= sizeof key) return NULL;
    memcpy(key, w, n);
    key[n] = 0;
    struct entry **b = &buckets[hash(key) % 7];
    for (struct entry *e = *b; e; e = e->next) if (!strcmp(e->word, key)) return e;
    struct entry *e = calloc(1, sizeof *e);
    if (!e) exit(9);
    e->word = strdup(key);
    e->next = *b;
    *b = e;
    *last = e;
    last = &e->order;
    return e;
}
int main(void) {
    int a[] = {21, 3, 1, 13, 8, 2, 5, 9}, n = sizeof a / sizeof *a;
    heap_sort(a, n);
    for (int i = 0; i < n; i++) printf("%d%c", a[i], i + 1 < n ? ' ' : '\n');
    const char *text = "the cat sat on the mat and the dog";
    for (const char *p = text; *p;) {
        size_t len = strcspn(p, " ");
        struct entry *e = lookup(p, len);
        if (e) e->count++;
        p += len + (p[len] != 0);
    }
    for (struct entry *e = first; e;) {
        struct entry *next = e->order;
        printf("%s:%d%c", e->word, e->count, next ? ' ' : '\n');
        free(e->word);
        free(e);
        e = next;
    }
    return 0;
}

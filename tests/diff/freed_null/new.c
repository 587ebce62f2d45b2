// `free` of a null pointer is no call.
#include <stdlib.h>
#include <string.h>
struct two { char *p, *q; };
struct node { struct node *next; int key; };
// diff: guard_gone equal
void guard_gone(char **p) { free(*p); *p = 0; }
// diff: guard_come equal
void guard_come(struct two *t) { if (t->p) free(t->p); if (t->q != NULL) free(t->q); }
// diff: cleanup equal
int cleanup(struct two *t, size_t n) {
    int ret = -1;
    char *p = 0, *q = 0;
    p = malloc(n);
    if (!p) goto out;
    q = malloc(n);
    if (!q) goto out;
    t->p = p;
    t->q = q;
    p = 0;
    ret = 0;
out:
    free(p);
    return ret;
}
// diff: elements equal
void elements(char **p, int n) { for (int i = 0; i < n; i++) free(p[i]); if (p != NULL) free(p); }
// diff: cleared equal
void cleared(void **p) { free(*p); *p = 0; }
// diff: twice not-equal
void twice(void **p) { free(*p); free(*p); *p = 0; }
// diff: other_guard not-equal
void other_guard(void *p, int c) { free(p); }
// diff: kept not-equal
int kept(struct two *t, size_t n) { char *p = malloc(n); if (!p) return -1; t->p = p; free(p); return 0; }
// diff: read_behind not-equal
int read_behind(int *s) { free(s); return s ? *s : 0; }
// diff: through_pointer not-equal
void through_pointer(void (*f)(void *), void *p) { f(p); }
// diff: order not-equal
void order(struct two *t) { free(t); free(t->p); }
// diff: last_left not-equal
void last_left(struct node *h) { if (!h) return; while (h->next) { struct node *n = h->next; free(h); h = n; } }

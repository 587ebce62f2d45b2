#include <stdlib.h>
#include <string.h>
struct two { char *p, *q; };
struct node { struct node *next; int key; };
void guard_gone(char **p) { if (*p) free(*p); *p = 0; }
void guard_come(struct two *t) { free(t->p); free(t->q); }
int cleanup(struct two *t, size_t n) {
    char *p = malloc(n);
    if (!p) return -1;
    char *q = malloc(n);
    if (!q) {
        free(p);
        return -1;
    }
    t->p = p;
    t->q = q;
    return 0;
}
void elements(char **p, int n) { for (int i = 0; i < n; i++) if (p[i]) free(p[i]); free(p); }
void cleared(void **p) { free(*p); *p = 0; free(*p); }
void twice(void **p) { free(*p); *p = 0; free(*p); }
void other_guard(void *p, int c) { if (c) free(p); }
int kept(struct two *t, size_t n) { char *p = malloc(n); if (!p) return -1; t->p = p; p = 0; free(p); return 0; }
int read_behind(int *s) { int n = 0; if (s) n = *s; free(s); return n; }
void through_pointer(void (*f)(void *), void *p) { if (p) f(p); }
void order(struct two *t) { free(t->p); t->p = 0; free(t); }
void last_left(struct node *h) { while (h) { struct node *n = h->next; free(h); h = n; } }

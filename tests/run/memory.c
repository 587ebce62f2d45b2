// The heap: malloc, calloc, realloc growing and shrinking, aligned_alloc, free(NULL), zero size, copies of objects.
#include "check.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int *p = malloc(4 * sizeof *p);
    if (!p) return 0;
    for (int i = 0; i < 4; i++) p[i] = i;
    int *q = realloc(p, 100 * sizeof *q);
    if (!q) { free(p); return 0; }
    CHECK(q[3] == 3);
    q[99] = 7;
    p = realloc(q, 2 * sizeof *p);
    if (!p) { free(q); return 0; }
    CHECK(p[1] == 1);
    free(p);
    unsigned char *z = calloc(3, 7);
    if (!z) return 0;
    int s = 0;
    for (int i = 0; i < 21; i++) s += z[i];
    CHECK(s == 0);
    free(z);
    void *a = aligned_alloc(64, 128);
    CHECK((uintptr_t)a % 64 == 0);
    free(a);
    void *m = 0;
    if (posix_memalign(&m, 32, 10) == 0) { CHECK((uintptr_t)m % 32 == 0); free(m); }
    free(NULL);
    free(malloc(0));
    volatile size_t huge = -1;
    void *volatile none = calloc(huge, 2);
    CHECK(none == NULL);
    char *d = strdup("copy");
    if (d) CHECK(!strcmp(d, "copy"));
    free(d);
    d = strndup("truncated", 5);
    if (d) CHECK(!strcmp(d, "trunc"));
    free(d);
    return DONE;
}

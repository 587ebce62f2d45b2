// Every element, forwards, backwards, with pointers, and the address one past the end.
#include <stdlib.h>
int main(void) {
    int n = 4, s = 0;
    int *a = calloc(n, sizeof *a);
    if (!a) return 0;
    for (int i = 0; i < n; i++) s += a[i];
    for (int i = n; i-- > 0;) s += a[i];
    for (int *p = a, *end = a + n; p != end; p++) s += *p;
    for (int *p = a + n; p-- > a;) s += *p;
    free(a);
    return s;
}

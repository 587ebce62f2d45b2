// The calls that one macro makes stand at one place; the memory is lost that this one of them allocated.
// run: no
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define fail() (fprintf(stderr, "virtual memory exhausted.\n"), exit(1), NULL)
#define copy(s) (strcpy((malloc(strlen(s) + 1) ?: fail()), (s)))
#define pair(p, q) ((p) = malloc(4), (q) = malloc(8))

static void lost(const char *s) {
    char *t = copy(s); //~ violated[leak]
    if (t[0] == 'a')
        puts("a");
}

static void second(void) {
    char *p, *q;
    pair(p, q); //~ violated[leak]
    free(p);
    if (q == NULL)
        puts("b");
}

int main(int argc, char **argv) {
    if (argc == 1)
        lost("text");
    else
        second();
    return 0;
}

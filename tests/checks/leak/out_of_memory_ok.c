// A program that gives up because memory is exhausted has lost what `realloc` left, and need not free it.
// run: no
#include <stdio.h>
#include <stdlib.h>
static void grow(char **buf, int *size) {
    *size += 100;
    *buf = realloc(*buf, *size);
    if (!*buf) {
        fprintf(stderr, "memory allocation error\n");
        exit(EXIT_FAILURE);
    }
}
int main(void) {
    char *buf = malloc(10);
    int size = 10;
    if (!buf) return 1;
    grow(&buf, &size);
    free(buf);
    return 0;
}

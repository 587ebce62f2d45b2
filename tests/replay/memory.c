// Failing requests, of the program and of the library for it.
// replay: confirmed by execution: AddressSanitizer: SEGV at memory.c:9
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char *a = malloc(10);
    if (!a) return 1;
    char *b = strdup(argv[0]);
    b[0] = 'x';
    free(a);
    free(b);
    return 0;
}

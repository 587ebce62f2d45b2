// What a library function wrote is initialised, what it did not write is not.
// replay: confirmed by execution: MemorySanitizer: use-of-uninitialized-value at uninit.c:10
#include <stdio.h>
int main(void) {
    char line[8];
    int n;
    if (!fgets(line, sizeof line, stdin)) return 1;
    if (line[0] == 'k') return 2;
    if (sscanf(line, "%d", &n) < 0) n = 1;
    if (n == 3) return 3;
    return 0;
}

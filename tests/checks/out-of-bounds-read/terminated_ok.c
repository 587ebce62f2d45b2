// The same with the terminator put by hand, and functions that are given the length.
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *b = malloc(5);
    if (!b) return 0;
    strncpy(b, "four", 5);
    b[4] = 0;
    int n = (int)strlen(b) + (int)strnlen(b, 4) + memcmp(b, "four", 4) + strncmp(b, "fours", 4);
    free(b);
    return n != 8;
}

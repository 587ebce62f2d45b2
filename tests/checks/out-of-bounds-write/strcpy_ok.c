// With room for it; other ways to build strings.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char *s = "hello";
    char *copy = malloc(strlen(s) + 1), buf[16];
    if (!copy) return 0;
    strcpy(copy, s);
    strcpy(buf, copy);
    strcat(buf, ", world!!");
    int n = snprintf(buf, sizeof buf, "%s %d", copy, 123456789);
    free(copy);
    return n != 15 || buf[15] != 0;
}

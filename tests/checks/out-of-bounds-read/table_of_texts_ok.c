// Texts in a constant table end, as do those of the environment; setvbuf without memory leaves the streams theirs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char *const names[] = {"red", "green", "blue"};
static void show(FILE *f, const char *s) {
    fprintf(f, "%s %zu\n", s, strlen(s)); //~ proved
}
int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0); //~ proved
    for (int i = 0; i < 3; i++) show(stdout, names[i]);
    const char *home = getenv("HOME"); //~ proved
    return home == NULL;
}

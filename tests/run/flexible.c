// Flexible array members: allocation, copying the head, static initialisation, nested in a bigger object.
#include "check.h"
#include <stdlib.h>
#include <string.h>
struct text { size_t n; char s[]; };
struct table { unsigned short count; struct { int key, value; } rows[]; };
static struct text fixed = {5, "hello"};
static struct text *make(const char *s) {
    size_t n = strlen(s);
    struct text *t = malloc(sizeof *t + n + 1);
    if (!t) return 0;
    t->n = n;
    memcpy(t->s, s, n + 1);
    return t;
}
int main(void) {
    CHECK(fixed.s[4] == 'o' && fixed.n == 5);
    struct text *t = make("flexible");
    if (!t) return 0;
    CHECK(t->n == 8 && !strcmp(t->s, "flexible"));
    struct text *bigger = realloc(t, sizeof *t + 20);
    if (!bigger) { free(t); return 0; }
    strcat(bigger->s, "!!");
    CHECK(!strcmp(bigger->s, "flexible!!"));
    free(bigger);
    struct table *tab = calloc(1, sizeof *tab + 3 * sizeof tab->rows[0]);
    if (!tab) return 0;
    for (; tab->count < 3; tab->count++) tab->rows[tab->count].value = tab->count * 2;
    CHECK(tab->rows[2].value == 4 && tab->rows[2].key == 0);
    free(tab);
    return DONE;
}

#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_init(struct text *t)
{
    t->at = NULL;
    t->length = t->room = 0;
}

void text_free(struct text *t)
{
    free(t->at);
    text_init(t);
}

int text_add(struct text *t, const char *s, size_t n)
{
    if (t->length + n + 1 > t->room) {
        size_t room = t->room ? 2 * t->room : 32;
        while (room < t->length + n + 1)
            room *= 2;
        char *at = realloc(t->at, room);
        if (!at)
            return 0;
        t->at = at;
        t->room = room;
    }
    memcpy(t->at + t->length, s, n);
    t->length += n;
    t->at[t->length] = '\0';
    return 1;
}

int text_add_number(struct text *t, long v)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%ld", v);
    return text_add(t, digits, (size_t)n);
}

/* Known bug: the result of malloc is not looked at. (What history.c loses was allocated here.) */
char *copy_string(const char *s)
{
    size_t n = strlen(s);
    char *copy = malloc(n + 1); //~ violated[leak]
    copy[n] = '\0'; //~ violated[null-deref]
    return memcpy(copy, s, n);
}

void trim(char *s)
{
    size_t n = strlen(s);
    while (n > 0 && isspace((unsigned char)s[n - 1]))
        s[--n] = '\0';
}

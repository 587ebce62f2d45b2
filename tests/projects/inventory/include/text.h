/* Growing strings, and small helpers for ones that do not grow. */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>

struct text {
    char *at;
    size_t length, room;
};

void text_init(struct text *t);
void text_free(struct text *t);
int text_add(struct text *t, const char *s, size_t n);
int text_add_number(struct text *t, long v);

char *copy_string(const char *s);
void trim(char *s);

#endif

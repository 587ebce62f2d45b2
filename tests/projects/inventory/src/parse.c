#include "parse.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* A decimal number with an optional sign. Known bug: it may be larger than an int. */
int parse_number(const char *s, int *out)
{
    int sign = 1, v = 0;
    if (*s == '-') {
        sign = -1;
        s++;
    }
    if (*s < '0' || *s > '9')
        return 0;
    for (; *s >= '0' && *s <= '9'; s++)
        v = v * 10 + (*s - '0'); //~ violated[signed-overflow]
    *out = sign * v;
    return *s == '\0';
}

static enum result add(struct shop *s, const char *code, const char *name)
{
    struct item *it = item_new(code, name);
    if (!it)
        return NO_MEMORY;
    if (!table_add(&s->items, it)) {
        item_free(it);
        return DUPLICATE;
    }
    history_add(&s->history, 'a', 0, code);
    return OK;
}

/* `in` and `out`. Known bug: when there is no number, `n` was never set. */
static enum result move(struct shop *s, struct item *it, const char *text, int sign)
{
    int n;
    parse_number(text, &n);
    if (n < 0) //~ violated[uninit-read]
        return BAD_NUMBER;
    if (sign < 0 && it->quantity < n)
        return BAD_NUMBER;
    if (sign > 0 && n > 1000000000 - it->quantity)
        return BAD_NUMBER;
    it->quantity += sign * n;
    history_add(&s->history, sign < 0 ? 'o' : 'i', n, it->code);
    return OK;
}

static enum result price(struct item *it, const char *text)
{
    int n;
    if (!parse_number(text, &n) || n < 0)
        return BAD_NUMBER;
    it->price = n;
    return OK;
}

/* The word at *p, terminated in place; *p is moved past it. */
static char *word(char **p)
{
    while (**p == ' ')
        ++*p;
    char *start = *p;
    while (**p && **p != ' ')
        ++*p;
    if (**p)
        *(*p)++ = '\0';
    return start;
}

enum result run_line(struct shop *s, char *line)
{
    trim(line);
    char *rest = line;
    const char *command = word(&rest), *code = word(&rest);
    if (!*command || *command == '#')
        return OK;
    if (!strcmp(command, "add"))
        return add(s, code, rest);
    struct item *it = table_find(&s->items, code);
    if (!it)
        return NO_SUCH_ITEM;
    if (!strcmp(command, "in"))
        return move(s, it, rest, 1);
    if (!strcmp(command, "out"))
        return move(s, it, rest, -1);
    if (!strcmp(command, "price"))
        return price(it, rest);
    if (!strcmp(command, "tag"))
        return item_tag(it, rest) ? OK : DUPLICATE;
    if (!strcmp(command, "drop")) {
        history_add(&s->history, 'd', it->quantity, NULL);
        return table_remove(&s->items, code) ? OK : NO_SUCH_ITEM;
    }
    return UNKNOWN_COMMAND;
}

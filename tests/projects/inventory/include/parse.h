/* Commands, one per line: `add CODE NAME`, `in CODE N`, `out CODE N`, `price CODE N`, `tag CODE TAG`, `drop CODE`. */
#ifndef PARSE_H
#define PARSE_H

#include "history.h"
#include "table.h"

enum result { OK, UNKNOWN_COMMAND, BAD_NUMBER, NO_SUCH_ITEM, DUPLICATE, NO_MEMORY };

struct shop {
    struct table items;
    struct history history;
};

enum result run_line(struct shop *s, char *line);
int parse_number(const char *s, int *out);

#endif

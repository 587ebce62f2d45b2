#include "item.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

struct item *item_new(const char *code, const char *name)
{
    struct item *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    strncpy(it->code, code, CODE_SIZE - 1);
    it->name = copy_string(name);
    return it;
}

void item_free(struct item *it)
{
    if (!it)
        return;
    for (unsigned i = 0; i < it->tag_count; i++)
        free((char *)it->tags[i]);
    free(it->name);
    free(it);
}

/* Known bug: one tag too many is let in; it lands on `next`. */
int item_tag(struct item *it, const char *tag)
{
    if (it->tag_count > MAX_TAGS)
        return 0;
    it->tags[it->tag_count] = copy_string(tag); //~ violated[array-index]
    it->tag_count++;
    return 1;
}

/* Known bug: quantity and price come from the input, their product need not fit. */
int item_value(const struct item *it)
{
    return it->quantity * it->price; //~ violated[signed-overflow]
}

const char *unit_name(enum unit u)
{
    static const char *const names[] = {[PIECE] = "", [GRAM] = " g", [LITRE] = " l"};
    return names[u];
}

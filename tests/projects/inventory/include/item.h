/* Things in stock. */
#ifndef ITEM_H
#define ITEM_H

#define CODE_SIZE 8
#define MAX_TAGS 4

enum unit { PIECE, GRAM, LITRE };

struct item {
    char code[CODE_SIZE]; /* always terminated */
    char *name;
    enum unit unit;
    int quantity;
    int price; /* cents for one */
    unsigned tag_count;
    const char *tags[MAX_TAGS];
    struct item *next; /* in the same bucket */
};

struct item *item_new(const char *code, const char *name);
void item_free(struct item *it);
int item_tag(struct item *it, const char *tag);
int item_value(const struct item *it);
const char *unit_name(enum unit u);

#endif

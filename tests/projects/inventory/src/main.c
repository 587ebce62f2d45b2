/* A small stock-keeping program with known bugs; see README.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

static const char *const demo[] = {
    "# a few deliveries",
    "add A1 apples",
    "add B2 bread",
    "in A1 120",
    "price A1 35",
    "in B2 14",
    "price B2 240",
    "out A1 20",
    "in A1 5",
    "in B2 6",
    "tag A1 fruit",
};

static const char *message(enum result r)
{
    switch (r) {
    case OK: return "ok";
    case UNKNOWN_COMMAND: return "unknown command";
    case BAD_NUMBER: return "bad number";
    case NO_SUCH_ITEM: return "no such item";
    case DUPLICATE: return "there already";
    case NO_MEMORY: return "no memory";
    }
    return "?";
}

static void run(struct shop *s, const char *text)
{
    char line[128];
    size_t n = strlen(text);
    if (n >= sizeof line)
        n = sizeof line - 1;
    memcpy(line, text, n);
    line[n] = '\0';
    enum result r = run_line(s, line);
    if (r != OK)
        fprintf(stderr, "%s: %s\n", text, message(r));
}

static void read_commands(struct shop *s, FILE *in)
{
    char line[128];
    while (fgets(line, sizeof line, in))
        run(s, line);
}

/* What a user may ask for on the command line; each word runs one script. */
static void scenario(struct shop *s, const char *name)
{
    switch (*name) { /* the first letter is enough */
    case 't': /* tags */
        run(s, "add T1 tagged");
        run(s, "tag T1 one");
        run(s, "tag T1 two");
        run(s, "tag T1 three");
        run(s, "tag T1 four");
        run(s, "tag T1 five");
        break;
    case 'd': /* drop */
        run(s, "drop A1");
        break;
    case 'v': /* value */
        run(s, "in B2 99999999");
        run(s, "price B2 1000");
        break;
    case 'e': /* empty; known bug: whether there is a new table is not asked */
        table_free(&s->items);
        table_init(&s->items, 4);
        break;
    case 'c': /* clear, again and again */
        history_clear(&s->history);
        history_clear(&s->history);
        break;
    case 'n': /* a number that is missing, and one that is too long */
        run(s, name[1] ? "price A1 99999999999" : "in A1");
        break;
    }
}

int main(int argc, char **argv)
{
    struct shop shop = {0};
    if (!table_init(&shop.items, 16))
        return 1;
    for (size_t i = 0; i < sizeof demo / sizeof *demo; i++)
        run(&shop, demo[i]);
    read_commands(&shop, stdin);
    for (int i = 1; i < argc; i++)
        scenario(&shop, argv[i]);
    report_stock(&shop);
    report_history(&shop.history);
    printf("mean price %d, discount %d\n", report_mean_price(&shop), report_discount(5000, 10));
    history_clear(&shop.history);
    table_free(&shop.items);
    return 0;
}

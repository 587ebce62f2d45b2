#include "report.h"

#include <stdio.h>

#include "text.h"

static void show(struct item *it, void *state)
{
    struct text *t = state;
    text_add(t, it->code, sizeof it->code);
    text_add(t, " ", 1);
    text_add_number(t, it->quantity);
    for (unsigned i = 0; i < it->tag_count; i++)
        printf("%s ", it->tags[i]);
    printf("%s: %d%s, %d\n", it->name, it->quantity, unit_name(it->unit), item_value(it));
}

void report_stock(const struct shop *s)
{
    struct text t;
    text_init(&t);
    table_each(&s->items, show, &t);
    printf("%zu characters, %u items\n", t.length, s->items.used);
    text_free(&t);
}

void report_history(const struct history *h)
{
    for (int i = 0; i < HISTORY; i++) {
        const struct change *c = history_get(h, i);
        if (!c)
            break;
        printf("%c %d %s\n", c->what, c->amount, c->note ? c->note : "-");
    }
}

static void add_price(struct item *it, void *sum)
{
    *(long *)sum += it->price;
}

/* Known bug: there may be no item at all. */
int report_mean_price(const struct shop *s)
{
    long sum = 0;
    table_each(&s->items, add_price, &sum);
    return (int)(sum / s->items.used); //~ violated[div-by-zero]
}

/* Rounded up. Values are at most a million. */
int report_discount(int value, int percent)
{
    if (value < 0 || value > 1000000 || percent < 0 || percent > 100)
        return 0;
    return (value * percent + 99) / 100;
}

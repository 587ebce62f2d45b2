#include "history.h"

#include <stdlib.h>

#include "text.h"

static struct change *slot(struct history *h, int i)
{
    return &h->ring[(h->first + i) % HISTORY];
}

/* Known bug: the note of the change that falls out of the ring is lost. */
void history_add(struct history *h, char what, int amount, const char *note)
{
    char *own = note ? copy_string(note) : NULL;
    if (h->count == HISTORY) {
        h->first = (h->first + 1) % HISTORY;
        h->count--;
    }
    struct change *c = slot(h, h->count++);
    c->what = what;
    c->amount = amount;
    c->note = own;
}

const struct change *history_get(const struct history *h, int back)
{
    if (back < 0 || back >= h->count)
        return NULL;
    return slot((struct history *)h, h->count - 1 - back);
}

/* Known bug: the count stays, so that the notes are freed again at the next call. */
void history_clear(struct history *h)
{
    for (int i = 0; i < h->count; i++)
        free(slot(h, i)->note); //~ violated[double-free]
    h->first = 0;
}

/* The last changes, in a ring. */
#ifndef HISTORY_H
#define HISTORY_H

#define HISTORY 6

struct change {
    char what;
    int amount;
    char *note; /* owned, may be null */
};

struct history {
    struct change ring[HISTORY];
    int first, count;
};

void history_add(struct history *h, char what, int amount, const char *note);
const struct change *history_get(const struct history *h, int back);
void history_clear(struct history *h);

#endif

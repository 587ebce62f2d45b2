// What was used where it has to be defined is defined from there on: an execution with an undefined value ended there.
#include <stdlib.h>

struct state {
    int used;
    int level;
};

int rows(struct state *s) {
    int n = s->used + 2;
    int sum = 0;
    for (int i = 0; i < n; i++) //~ proved[uninit-read]
        sum ^= i;
    if (n > 4) //~ proved[uninit-read]
        return 1;
    return sum;
}

int level(struct state *s) {
    if (s->level > 3)
        return 1;
    if (s->level > 2) //~ proved[uninit-read]
        return 2;
    return s->level + 1; //~ proved[uninit-read]
}

int at(const int *table, struct state *s) {
    int x = table[s->used];
    return s->used == 3 ? x : 0; //~ proved[uninit-read]
}

int main(int argc, char **argv) {
    static const int table[4] = {1, 2, 3, 4};
    struct state *s = malloc(sizeof *s);
    if (!s)
        return 1;
    if (argc > 1)
        s->used = argc & 3;
    if (argc > 2)
        s->level = argc & 7;
    int r = argc > 1 ? rows(s) + at(table, s) : 0;
    r += argc > 2 ? level(s) : 0;
    free(s);
    return r;
}

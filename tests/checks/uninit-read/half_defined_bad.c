// A use that an undefined bit cannot decide says nothing of that bit.
#include <stdlib.h>

union word {
    int all;
    unsigned char bytes[4];
};

int main(void) {
    union word *w = malloc(sizeof *w);
    if (!w)
        return 1;
    w->bytes[3] = 0;
    int sum = w->all + 2;
    int r = 0;
    if (w->all == -1)
        r = 1;
    if (sum == 7) //~ violated[uninit-read]
        r = 2;
    free(w);
    return r;
}

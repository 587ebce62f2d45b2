// The second call uses what the first one freed.
#include <stdlib.h>
static int *state;
int open_it(void) {
    if (state) return 1;
    state = calloc(1, sizeof *state);
    return state != 0;
}
void close_it(void) {
    free(state);
    state = 0;
}
int bump_and_close(int close) {
    if (!state) return 0;
    if (close) free(state);
    int r = ++*state & 1; //~ latent[use-after-free]
    if (close) state = 0;
    return r;
}

// A variable of a block inside of main is gone when the block ends.
// run: no
#include <stdlib.h>
struct text { char *data; };
static int init(struct text *t) { return (t->data = malloc(3)) != NULL; } //~ violated[leak]
int main(int argc, char **argv) {
    int n = 0;
    for (int i = 0; i < argc; i++) {
        struct text t;
        n += init(&t); // The next round has another one.
    }
    return n > 3;
}

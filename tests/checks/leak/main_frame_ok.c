// What variables of main point to when it returns is not lost, whichever way it returns.
// run: no
#include <stdlib.h>
struct text { char *data; int n; };
struct list { struct text *texts; char *error; };
static int init(struct list *l, int n) {
    l->error = NULL;
    l->texts = malloc(sizeof *l->texts);
    if (!l->texts) return 0;
    l->texts->n = n;
    l->texts->data = malloc(3);
    if (n > 2) l->error = malloc(20);
    return l->texts->data != NULL;
}
int main(int argc, char **argv) {
    struct list l;
    char *rows[3];
    for (int i = 0; i < 3; i++)
        if ((rows[i] = malloc(9)) == NULL) exit(4);
    if (!init(&l, argc)) return 1;
    if (l.error) return 2;
    for (int i = 0; i < argc; i++)
        if (argv[i][0] == 'x') return 3;
    free(l.texts->data);
    free(l.texts);
    return 0;
}

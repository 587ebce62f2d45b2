// The sanitizer names the first member behind the pointer, the scan the last.
// replay: confirmed by execution: member access within null pointer of type 'struct track' at member_of_member.c:15
#include <stdlib.h>
struct track {
    int number;
    struct {
        int start, length;
        char *name;
    } file;
};
static struct track *make(void) {
    return malloc(sizeof(struct track));
}
static int named(struct track *t) {
    if (t->file.name)
        return 1;
    return 0;
}
int main(void) {
    struct track *t = make();
    if (t)
        *t = (struct track){.number = 1};
    int r = named(t);
    free(t);
    return r;
}

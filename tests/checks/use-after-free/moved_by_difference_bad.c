// Pointers into a block that `realloc` has moved, set right by how far it moved: undefined in C (gcc's -Wuse-after-free
// says so too), though machines do what is meant. What is reported says that.
#include <stdlib.h>

int main(void)
{
    char *text = malloc(8);
    if (text == NULL)
        return 1;
    char *at = text + 3;
    *at = 'x';
    char *longer = realloc(text, 100);
    if (longer == NULL) {
        free(text);
        return 1;
    }
    at += longer - text;
    int seen = *at != 'x'; //~ violated[use-after-free]
    free(longer);
    return seen;
}

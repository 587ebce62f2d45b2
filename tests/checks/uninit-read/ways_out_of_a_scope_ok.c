// Each way out of a block returns a constant; none of them returns what another way has not written.
#include <stdlib.h>

static int grow(char **buf, int *size, unsigned wanted)
{
    if ((unsigned)*size < wanted) {
        const int more = wanted < 512 ? 512 : 1024;
        char *new = malloc((size_t)more);
        if (new == NULL)
            return 0;
        free(*buf);
        *size = more;
        *buf = new;
    }
    return 1;
}

int main(int argc, char **argv)
{
    static char *buf;
    static int size;
    for (int i = 0; i < argc; i++) {
        if (!grow(&buf, &size, i + 1u)) //~ proved[uninit-read]
            return 1;
    }
    free(buf);
    return 0;
}

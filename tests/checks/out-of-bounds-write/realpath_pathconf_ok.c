// What the system says is the longest path fits every path that it gives.
// run: no
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    long n = pathconf("/", _PC_PATH_MAX);
    if (n <= 0)
        return 1;
    char *path = malloc(n);
    if (path == NULL)
        return 1;
    char *p = realpath(".", path); //~ proved[out-of-bounds-write]
    free(path);
    return p == NULL;
}

// A resolved path has up to PATH_MAX bytes.
// run: no
#include <stdlib.h>

int main(int argc, char **argv)
{
    char path[256];
    if (realpath("a", path) == NULL) //~ violated[out-of-bounds-write]
        return 1;
    return path[0] != '/';
}

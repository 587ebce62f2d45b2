// A directory that is not closed where there is nothing in it.
// slow
// run: no
#include <dirent.h>
#include <stddef.h>

static int is_empty(const char *path)
{
    DIR *d = opendir(path); //~ violated[leak]
    if (d == NULL)
        return 1;
    if (readdir(d) == NULL)
        return 2;
    closedir(d);
    return 0;
}

int main(void) { return is_empty("."); }

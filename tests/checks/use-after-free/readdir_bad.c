// What readdir returned goes with the stream.
// run: no
#include <dirent.h>
#include <stdio.h>

int main(void)
{
    DIR *d = opendir(".");
    if (d == NULL)
        return 1;
    struct dirent *e = readdir(d);
    closedir(d);
    return e != NULL && e->d_name[0] == '.'; //~ violated[use-after-free]
}

// A name in a directory has up to 255 characters.
// slow
// run: no
#include <dirent.h>
#include <string.h>

int main(void)
{
    char name[100];
    DIR *d = opendir(".");
    if (d == NULL)
        return 1;
    struct dirent *e = readdir(d);
    if (e != NULL)
        strcpy(name, e->d_name); //~ violated[out-of-bounds-write]
    closedir(d);
    return 0;
}

// 256 bytes are enough for any name in a directory, and a name is never empty.
// slow
// run: no
#include <dirent.h>
#include <string.h>

int main(void)
{
    char name[256];
    DIR *d = opendir(".");
    if (d == NULL)
        return 1;
    struct dirent *e;
    while ((e = readdir(d)) != NULL) {
        size_t n = strlen(e->d_name);
        memcpy(name, e->d_name, n + 1);
        if (name[n - 1] == '~')
            break;
    }
    return closedir(d) != 0;
}

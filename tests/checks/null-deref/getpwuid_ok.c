// An entry that there is has all its texts.
// run: no
#include <pwd.h>
#include <string.h>
#include <unistd.h>

static size_t home(char *out, size_t size)
{
    struct passwd *p = getpwuid(getuid());
    if (p == NULL)
        return 0;
    size_t n = strlen(p->pw_dir) + strlen(p->pw_name);
    if (n >= size)
        return 0;
    strcpy(out, p->pw_dir);
    return n;
}

int main(void)
{
    char text[100];
    return home(text, sizeof text) == 0;
}

// A folder may end in an error, and an expression may run out of memory.
// run: no
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <stddef.h>

static int entries(DIR *d)
{
    int n = 0;
    errno = 0;
    while (readdir(d) != NULL)
        n++;
    assert(errno == 0); //~ violated[assertion]
    return n;
}

static int matches(const regex_t *r)
{
    int found = regexec(r, "text", 0, NULL, 0);
    assert(found == 0 || found == REG_NOMATCH); //~ violated[assertion]
    return found == 0;
}

int main(int argc, char **argv)
{
    regex_t r;
    if (argc > 1) {
        DIR *d = opendir(".");
        if (d != NULL) {
            entries(d);
            closedir(d);
        }
    } else if (regcomp(&r, "t+", REG_NOSUB) == 0) {
        matches(&r);
        regfree(&r);
    }
    return 0;
}

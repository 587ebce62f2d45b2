// A group that took no part in the match is at -1.
// run: no
#include <regex.h>

static int first_of_group(const char *text)
{
    regex_t r;
    regmatch_t m[2];
    int c = 0;
    if (regcomp(&r, "a(b)?", REG_EXTENDED) != 0)
        return -1;
    if (regexec(&r, text, 2, m, 0) == 0)
        c = text[m[1].rm_so]; //~ violated[out-of-bounds-read]
    regfree(&r);
    return c;
}

int main(void)
{
    return first_of_group("a");
}

// A match lies in the text, and a group that took no part in it has no place.
// run: no
#include <regex.h>
#include <string.h>

static int group(const char *text, char *out, size_t size)
{
    regex_t r;
    regmatch_t m[3];
    int n = -1;
    if (regcomp(&r, "([a-z]+)=([0-9]+)?", REG_EXTENDED) != 0)
        return -1;
    if (regexec(&r, text, 3, m, 0) == 0 && m[2].rm_so >= 0 && (size_t)(m[2].rm_eo - m[2].rm_so) < size) {
        n = m[2].rm_eo - m[2].rm_so;
        memcpy(out, text + m[2].rm_so, (size_t)n);
        out[n] = 0;
    }
    regfree(&r);
    return n;
}

int main(void)
{
    char number[8];
    return group("width=80", number, sizeof number) < 0;
}

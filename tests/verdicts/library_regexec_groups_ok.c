// check: --property unreach-call --data-model LP64
// verdict: TRUE
// A group that nothing lets out takes part in every match, and lies in it; `^` and `$` say where that is.
#include <regex.h>
extern void reach_error(void);
int main(void)
{
    regex_t r;
    regmatch_t m[2];
    if (regcomp(&r, "^(a+)b$", REG_EXTENDED) != 0)
        return 0;
    if (regexec(&r, "aab", 2, m, 0) == 0) {
        if (m[0].rm_so != 0 || m[0].rm_eo != 3)
            reach_error();
        if (m[1].rm_so < m[0].rm_so || m[1].rm_eo > m[0].rm_eo || r.re_nsub != 1)
            reach_error();
    }
    regfree(&r);
    return 0;
}

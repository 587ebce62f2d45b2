// check: --property valid-memsafety
// verdict: FALSE(valid-deref)
#include <iconv.h>
int main(void)
{
    char in[4] = "abc", out[16];
    char *from = in, *to = out;
    size_t in_left = 3, out_left = sizeof out;
    iconv_t cd = iconv_open("UTF-8", "LATIN1");
    if (cd == (iconv_t)-1)
        return 1;
    iconv(cd, &from, &in_left, &to, &out_left);
    *to = 0;
    iconv_close(cd);
    return 0;
}

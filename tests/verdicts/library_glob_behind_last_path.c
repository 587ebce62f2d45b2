// check: --property valid-memsafety
// verdict: FALSE(valid-deref)
#include <glob.h>
int main(void)
{
    glob_t g;
    if (glob("*.c", 0, 0, &g) != 0)
        return 1;
    return g.gl_pathv[g.gl_pathc][0];
}

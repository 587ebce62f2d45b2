// check: --property valid-memsafety
// verdict: FALSE(valid-deref)
#define _GNU_SOURCE
#include <ftw.h>
static int count[64];
static int visit(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)path, (void)st, (void)kind;
    count[where->level]++;
    return 0;
}
int main(void) { return nftw("/tmp", visit, 20, FTW_PHYS); }

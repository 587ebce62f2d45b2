// check: --property valid-memsafety --data-model LP64
// verdict: TRUE
#include <search.h>
#include <stdlib.h>
static int order(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
static void keep(void *key) {}
int main(void)
{
    static int keys[2] = {1, 2};
    void *root = NULL;
    if (tsearch(&keys[0], &root, order) == NULL)
        return 0;
    void *found = tfind(&keys[0], &root, order);
    int same = **(int **)found == 1;
    tdestroy(root, keep);
    return !same;
}

// A process has as many groups when it asks again.
// run: no
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    int most = getgroups(0, NULL);
    if (most < 0)
        return 1;
    gid_t *g = malloc((most + 1) * sizeof *g);
    if (!g)
        return 1;
    g[0] = getegid();
    int n = getgroups(most, g + 1), own = 0;
    for (int i = 0; i <= n; i++)
        own += g[i] == g[0];
    free(g);
    return own > 7;
}

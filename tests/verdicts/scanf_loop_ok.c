// verdict: TRUE
// check: --property valid-memsafety
#include <stdio.h>

int main(void)
{
    int all[20], n = 0;
    int limit;
    if (scanf("%2d", &limit) != 1)
        return 1;
    if (limit > 20 || limit < 0)
        return 1;
    while (n < limit && scanf("%d", &all[n]) == 1)
        n++;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum ^= all[i];
    return sum != 0;
}

// The library looks at a descriptor before it reads.
// replay: confirmed by execution: load of null pointer
#include <stdio.h>
int main(void)
{
    char line[64];
    int *p = 0;
    if (!fgets(line, sizeof line, stdin)) return 2;
    if (line[0] == 'x')
        return *p;
    return 0;
}

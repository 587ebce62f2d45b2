// verdict: TRUE
// check: --property valid-memsafety
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    int table[4] = {1, 2, 3, 4};
    int n = atoi(argv[1]);
    return n >= 0 && n < 4 ? table[n] : 0;
}

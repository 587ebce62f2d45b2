// What strptime makes of a format that is not modelled may be in any of the numbers.
// run: no
#define _GNU_SOURCE
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
    struct tm t;
    memset(&t, 0, sizeof t);
    if (argc < 2 || strptime(argv[1], "%Y %z", &t) == NULL)
        return 1;
    if (t.tm_gmtoff != 0)
        return (int)(100 / (t.tm_gmtoff - 3600)); //~ unknown[div-by-zero]
    return 0;
}

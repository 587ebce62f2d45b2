// What optimised programs take from a header is a function of the library in others.
// flags: -O2
// replay: confirmed by execution: division by zero at device.c
#include <sys/sysmacros.h>
#include <sys/types.h>
int main(int argc, char **argv)
{
    dev_t d = makedev(3, (unsigned)argc);
    return 10 / (int)(major(d) + minor(d) - 3 - (unsigned)argc);
}

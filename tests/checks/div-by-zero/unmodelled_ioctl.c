// A request of ioctl that is not known may write through its argument and through what that leads to, as a number, too.
// run: no
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#ifndef SIOCDEVPRIVATE
#define SIOCDEVPRIVATE 0x89F0
#endif

int ports(int fd, const char *bridge)
{
    int numbers[4];
    unsigned long args[4] = {3, (unsigned long)numbers, 4, 0};
    struct ifreq r;
    memset(numbers, 0, sizeof numbers);
    memset(&r, 0, sizeof r);
    strncpy(r.ifr_name, bridge, IFNAMSIZ - 1);
    r.ifr_data = (char *)args;
    if (ioctl(fd, SIOCDEVPRIVATE, &r) < 0)
        return -1;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        if (numbers[i] == 7)
            sum += 1 / (numbers[3] - 5); //~ unknown[div-by-zero]
    return sum;
}

int direct(int fd)
{
    int n = 0;
    if (ioctl(fd, SIOCDEVPRIVATE + 1, &n) < 0)
        return -1;
    if (n > 0)
        return 100 / (n - 1); //~ unknown[div-by-zero]
    return 0;
}

int main(int argc, char **argv)
{
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0)
        return 1;
    if (argc > 2)
        return direct(fd);
    return argc > 1 ? ports(fd, argv[1]) : 0;
}

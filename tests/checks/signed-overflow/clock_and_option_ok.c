// The clock never comes close to the last nanosecond that 64 bits count, and no packet is longer than its length can say.
// run: no
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>

int main(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    long now = t.tv_sec * 1000000000L + t.tv_nsec;
    long next = now + 60 * 1000000000L;
    int fd = socket(AF_INET, SOCK_STREAM, 0), mtu;
    socklen_t n = sizeof mtu;
    if (fd < 0 || getsockopt(fd, IPPROTO_IP, IP_MTU, &mtu, &n) < 0)
        return 1;
    printf("%ld %d\n", next, 4 * mtu);
    return 100 / mtu;
}

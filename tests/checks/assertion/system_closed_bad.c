// What is closed together with others is not open any more.
// run: no
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 3 || close_range(3, ~0u, 0) != 0)
        return 0;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (poll(&p, 1, 0) == 1)
        assert(!(p.revents & POLLNVAL)); //~ violated[assertion]
    return 0;
}

// What the system says of descriptors goes together.
// run: no
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

// A set that is closed reports nothing any more, whoever has its number.
static void sets(int fd)
{
    struct epoll_event e = {.events = EPOLLIN}, got;
    int first = epoll_create1(0);
    if (first < 0)
        return;
    epoll_ctl(first, EPOLL_CTL_ADD, fd, &e);
    close(first);
    int second = epoll_create1(0);
    if (second < 0)
        return;
    int n = epoll_wait(second, &got, 1, 0);
    assert(n <= 0);
    if (n < 0)
        assert(errno == EINTR);
    close(second);
}

static void open_ones(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (poll(&p, 1, 0) == 1)
        assert(!(p.revents & POLLNVAL));
}

static void peeked(int fd)
{
    unsigned char first[2], then[2];
    if (recv(fd, first, 2, MSG_PEEK | MSG_DONTWAIT) == 2 && recv(fd, then, 2, 0) == 2)
        assert(first[0] == then[0] && first[1] == then[1]);
}

static void numbers(void)
{
    uint64_t times;
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    if (fd < 0)
        return;
    ssize_t n = read(fd, &times, sizeof times);
    assert(n < 0 || (n == sizeof times && times != 0));
    close(fd);
}

static void flags(int fd)
{
    int before = fcntl(fd, F_GETFL);
    if (fcntl(fd, F_SETFL, before | O_NONBLOCK) == 0)
        assert(fcntl(fd, F_GETFL) & O_NONBLOCK);
}

static void options(int fd)
{
    int type, error;
    socklen_t n = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n) == 0)
        assert(type == SOCK_STREAM);
    n = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) == 0)
        assert(error >= 0);
}

int main(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        return 0;
    sets(fd);
    open_ones(fd);
    peeked(fd);
    numbers();
    flags(fd);
    options(fd);
    close(fd);
    return 0;
}

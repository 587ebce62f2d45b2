// What epoll_wait reports is what was registered.
// run: no
#include <sys/epoll.h>
#include <sys/socket.h>
#include <netinet/in.h>

struct connection {
    int fd;
    int seen;
};

int main(void)
{
    struct connection c = {0, 0};
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = &c}, got[4];
    int set = epoll_create1(0);
    if (set < 0)
        return 1;
    c.fd = socket(AF_INET, SOCK_STREAM, 0);
    if (c.fd < 0 || epoll_ctl(set, EPOLL_CTL_ADD, c.fd, &e) < 0)
        return 2;
    int n = epoll_wait(set, got, 4, -1);
    for (int i = 0; i < n; i++) {
        struct connection *who = got[i].data.ptr;
        who->seen++;
    }
    return c.seen > 1;
}

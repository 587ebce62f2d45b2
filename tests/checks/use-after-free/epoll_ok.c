// A descriptor that was closed is no longer registered: what belonged to it is not reported any more.
// run: no
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>

struct connection { int fd, seen; };

int main(void)
{
    struct connection *c = malloc(sizeof *c);
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = c}, got[4];
    int set = epoll_create1(0);
    if (c == NULL || set < 0 || (c->fd = socket(AF_INET, SOCK_STREAM, 0)) < 0)
        return 1;
    if (epoll_ctl(set, EPOLL_CTL_ADD, c->fd, &e) < 0)
        return 2;
    close(c->fd);
    free(c);
    int n = epoll_wait(set, got, 4, 100);
    for (int i = 0; i < n; i++)
        ((struct connection *)got[i].data.ptr)->seen++;
    return 0;
}

// check: --property unreach-call --property valid-memsafety
// verdict: TRUE
// The addresses of a netlink socket are all of one length: a second message has room where the first had.
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>

extern void reach_error(void);

int main(void)
{
    struct sockaddr_nl from;
    char text[16];
    struct iovec place = {text, sizeof text};
    struct msghdr m;
    int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
    if (fd == -1)
        return 1;
    memset(&m, 0, sizeof m);
    m.msg_name = &from;
    m.msg_namelen = sizeof from;
    m.msg_iov = &place;
    m.msg_iovlen = 1;
    if (recvmsg(fd, &m, MSG_PEEK) == -1 || recvmsg(fd, &m, 0) == -1)
        return 1;
    if (from.nl_family != AF_NETLINK)
        reach_error();
    return from.nl_pid == 0;
}

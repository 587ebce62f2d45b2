// How programs use the network: what a call promises is there, and nothing of it is reported.
// scan: --timeout 20
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static int dial(const char *host) {
    struct addrinfo hints, *all;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_CANONNAME;
    int e = getaddrinfo(host, "80", &hints, &all);
    if (e != 0) {
        fprintf(stderr, "%s\n", e == EAI_SYSTEM ? strerror(errno) : gai_strerror(e));
        return -1;
    }
    printf("%s\n", all->ai_canonname);
    int fd = -1;
    for (struct addrinfo *a = all; a != NULL; a = a->ai_next) {
        char text[INET6_ADDRSTRLEN];
        if (a->ai_family == AF_INET) {
            struct sockaddr_in v4;
            memcpy(&v4, a->ai_addr, sizeof v4);
            puts(inet_ntop(AF_INET, &v4.sin_addr, text, sizeof text));
        }
        fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
        if (fd < 0)
            continue;
        if (connect(fd, a->ai_addr, a->ai_addrlen) == 0)
            break;
        if (errno == EINPROGRESS) {
            struct pollfd p = {fd, POLLOUT, 0};
            int error;
            socklen_t n = sizeof error;
            if (poll(&p, 1, 1000) == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) == 0 && error == 0)
                break;
        }
        close(fd);
        fd = -1;
    }
    freeaddrinfo(all);
    return fd;
}

int main(int argc, char **argv) {
    int fd = argc > 1 ? dial(argv[1]) : -1;
    if (fd >= 0)
        close(fd);
    return 0;
}

// How programs use the network: what a call promises is there, and nothing of it is reported.
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

static void serve(void) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (s < 0)
        return;
    struct sockaddr_in a;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_ANY);
    if (bind(s, (struct sockaddr *)&a, sizeof a) == 0 && listen(s, 5) == 0) {
        struct sockaddr_in peer;
        socklen_t n = sizeof peer;
        int c = accept(s, (struct sockaddr *)&peer, &n);
        if (c >= 0) {
            printf("%s:%d\n", inet_ntoa(peer.sin_addr), ntohs(peer.sin_port));
            close(c);
        }
    }
    close(s);
}

static void datagrams(void) {
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    if (s < 0)
        return;
    char packet[32];
    struct sockaddr_in from;
    socklen_t n = sizeof from;
    fd_set in;
    FD_ZERO(&in);
    FD_SET(s, &in);
    struct timeval t = {1, 500000};
    if (select(s + 1, &in, NULL, NULL, &t) > 0 && FD_ISSET(s, &in)) {
        ssize_t got = recvfrom(s, packet, sizeof packet - 1, 0, (struct sockaddr *)&from, &n);
        if (got >= 0) {
            packet[got] = 0;
            printf("%s from %s\n", packet, inet_ntoa(from.sin_addr));
        }
    }
    printf("%ld\n", (long)t.tv_sec);
    close(s);
}

int main(int argc, char **argv) {
    if (argc == 2) {
        int fd = dial(argv[1]);
        if (fd >= 0)
            close(fd);
    } else if (argc == 3) {
        serve();
    } else {
        datagrams();
    }
    return 0;
}

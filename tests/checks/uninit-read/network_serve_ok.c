// How servers use the network: what a call promises is there, and nothing of it is reported.
// slow
// scan: --timeout 20
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

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
    if (argc > 1)
        serve();
    else
        datagrams();
    return 0;
}

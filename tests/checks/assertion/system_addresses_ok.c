// Numbers and their texts are the same address.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void printed(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(8080)};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    char host[16], port[6];
    if (getnameinfo((void *)&a, sizeof a, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) == 0) {
        assert(strcmp(host, "127.0.0.1") == 0);
        assert(strcmp(port, "8080") == 0);
    }
}

static void read_back(void)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *r;
    if (getaddrinfo("127.0.0.1", "80", &hints, &r) != 0)
        return;
    struct sockaddr_in *a = (void *)r->ai_addr;
    assert(a->sin_port == htons(80));
    assert(a->sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    freeaddrinfo(r);
}

static void bound(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(8081)}, b;
    socklen_t n = sizeof b;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        return;
    if (bind(fd, (void *)&a, sizeof a) == 0 && getsockname(fd, (void *)&b, &n) == 0)
        assert(b.sin_port == htons(8081));
    close(fd);
}

int main(void)
{
    printed();
    read_back();
    bound();
    return 0;
}

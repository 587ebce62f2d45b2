// What may happen and is easily forgotten.
// run: no
#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
int main(int argc, char **argv) {
    if (argc == 1) {
        struct pollfd p = {0, POLLIN, 0};
        int r = poll(&p, 1, 0);
        assert(r >= 0); //~ violated[assertion]
    } else if (argc == 2) {
        int s = socket(AF_INET6, SOCK_STREAM, 0);
        if (s < 0) return 1;
        struct sockaddr_storage a;
        socklen_t n = sizeof a;
        int c = accept(s, (struct sockaddr *)&a, &n);
        if (c < 0) return 1;
        assert(n == sizeof(struct sockaddr_in)); //~ violated[assertion]
    } else {
        struct addrinfo *all;
        int e = getaddrinfo("host", "80", 0, &all);
        if (e == 0) {
            assert(all->ai_next == 0); //~ violated[assertion]
            freeaddrinfo(all);
        } else {
            assert(e != EAI_AGAIN); //~ violated[assertion]
        }
    }
    return 0;
}

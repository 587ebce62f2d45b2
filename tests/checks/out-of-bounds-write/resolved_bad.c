// An address of the family that was asked for is longer than one of the other.
// run: no
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
int main(void) {
    struct addrinfo hints, *all;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_INET6;
    if (getaddrinfo("host", "80", &hints, &all) != 0) return 1;
    struct sockaddr_in v4;
    memcpy(&v4, all->ai_addr, all->ai_addrlen); //~ violated[out-of-bounds-write]
    freeaddrinfo(all);
    return v4.sin_family == AF_INET;
}

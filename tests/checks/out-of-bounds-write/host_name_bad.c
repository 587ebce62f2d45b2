// The official name of a host may be longer than the one that was asked for, and so may its other names be.
// run: no
// scan: --timeout 30
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

static void official(void) {
    char name[16];
    struct hostent *h = gethostbyname("host");
    if (h != NULL)
        strcpy(name, h->h_name); //~ violated[out-of-bounds-write]
}

static void other(void) {
    char name[16];
    struct hostent *h = gethostbyname("host");
    if (h != NULL && h->h_aliases[0] != NULL)
        strcpy(name, h->h_aliases[0]); //~ violated[out-of-bounds-write]
}

static void canonical(void) {
    char name[16];
    struct addrinfo hints, *all;
    memset(&hints, 0, sizeof hints);
    hints.ai_flags = AI_CANONNAME;
    if (getaddrinfo("host", NULL, &hints, &all) != 0)
        return;
    strcpy(name, all->ai_canonname); //~ violated[out-of-bounds-write]
    freeaddrinfo(all);
}

int main(int argc, char **argv) {
    if (argc == 1)
        official();
    else if (argc == 2)
        other();
    else
        canonical();
    return 0;
}

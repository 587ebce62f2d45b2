// What the lookups of <netdb.h> promise is there, and nothing of it is reported; names that `mktemp` makes end.
// run: no
// scan: --timeout 30
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void names(const char *of) {
    struct hostent *h = gethostbyname(of);
    if (h == NULL) {
        herror(of);
        printf("%d %s\n", h_errno, hstrerror(h_errno));
        return;
    }
    struct in_addr a;
    memcpy(&a, h->h_addr_list[0], sizeof a);
    printf("%s %s %zu\n", h->h_name, inet_ntoa(a), strlen(h->h_name));
    for (char **other = h->h_aliases; *other != NULL; other++)
        puts(*other);
    h = gethostbyaddr(&a, sizeof a, AF_INET);
    if (h != NULL)
        puts(h->h_name);
}

static void numbers(const char *of) {
    struct servent *s = getservbyname(of, "tcp");
    if (s != NULL && strcmp(s->s_proto, "tcp") == 0)
        printf("%s %d\n", s->s_name, ntohs((unsigned short)s->s_port));
    struct protoent *p = getprotobyname(of);
    if (p != NULL)
        printf("%s %d\n", p->p_name, p->p_proto);
    struct sockaddr_in a;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    char host[NI_MAXHOST], port[NI_MAXSERV];
    if (getnameinfo((struct sockaddr *)&a, sizeof a, host, sizeof host, port, sizeof port, NI_NUMERICHOST) == 0)
        printf("%zu %s\n", strlen(host), port);
}

int main(int argc, char **argv) {
    char name[] = "/tmp/aXXXXXX", other[L_tmpnam];
    if (*mktemp(name) != 0)
        puts(name);
    if (tmpnam(other) != NULL)
        puts(other);
    if (argc > 1) {
        names(argv[1]);
        numbers(argv[1]);
    }
    return 0;
}

// A lookup may have any number of answers, and the name that a service is found by need not be its official one.
// run: no
// scan: --timeout 30
#include <netdb.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

static void many(void) {
    int families[2], n = 0;
    struct addrinfo *all;
    if (getaddrinfo("host", NULL, NULL, &all) != 0)
        return;
    for (struct addrinfo *a = all; a != NULL; a = a->ai_next)
        families[n++] = a->ai_family; //~ violated[array-index]
    freeaddrinfo(all);
}

static void service(void) {
    char name[8];
    struct servent *s = getservbyname("http", "tcp");
    if (s != NULL)
        strcpy(name, s->s_name); //~ violated[out-of-bounds-write]
}

int main(int argc, char **argv) {
    if (argc == 1)
        many();
    else
        service();
    return 0;
}

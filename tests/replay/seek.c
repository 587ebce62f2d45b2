// Positions, environment, numbers of the process and of the kernel, network and directories of a list.
// replay: confirmed by execution: division by zero at seek.c:30
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    struct stat st;
    FILE *f = fopen("data", "rb");
    if (!f) return 1;
    if (fseek(f, 0, SEEK_END) < 0) return 2;
    long size = ftell(f);
    rewind(f);
    char *home = getenv("HOME");
    if (home && home[0] == 0) return 3;
    if (stat("other", &st) < 0) return 4;
    int id = getpid();
    struct addrinfo *all;
    if (getaddrinfo("host", "80", 0, &all) != 0) return 5;
    struct pollfd p = {0, POLLIN, 0};
    int ready = poll(&p, 1, -1);
    freeaddrinfo(all);
    fclose(f);
    rename("old", "new");
    int d = 0;
    if (size >= 0 && id > 1 && ready != 0)
        return 10 / d;
    return 0;
}

// What comes from a peer is cut to what fits.
#include <string.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>
int main(void) {
    char name[16];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return 1;
    struct sockaddr_in a;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    if (connect(fd, (struct sockaddr *)&a, sizeof a) < 0) return 1;
    ssize_t n = recv(fd, name, sizeof name - 1, 0);
    if (n < 0) n = 0;
    name[n] = 0;
    close(fd);
    return name[0] == 'x';
}

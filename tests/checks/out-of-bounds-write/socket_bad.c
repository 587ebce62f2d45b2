// A peer says how much is to be copied.
// run: no
#include <string.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>
int main(void) {
    char name[16], packet[128];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return 1;
    struct sockaddr_in a;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    if (connect(fd, (struct sockaddr *)&a, sizeof a) < 0) return 1;
    ssize_t n = recv(fd, packet, sizeof packet, 0);
    if (n > 1) memcpy(name, packet + 1, (size_t)packet[0] & 31); //~ violated[out-of-bounds-write]
    close(fd);
    return 0;
}

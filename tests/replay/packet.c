// An address comes before the bytes of a packet.
// replay: confirmed by execution: load of null pointer
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>
int main(void)
{
    int s = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a;
    socklen_t n = sizeof a;
    if (s < 0) return 1;
    int c = accept(s, (struct sockaddr *)&a, &n);
    if (c < 0) return 1;
    char b[4];
    ssize_t r = recvfrom(c, b, sizeof b, 0, 0, 0);
    if (r == 4) {
        if (b[0] != 'Q') return 1;
        int *p = 0;
        return *p;
    }
    close(c);
    return 0;
}

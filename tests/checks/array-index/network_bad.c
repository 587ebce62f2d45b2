// What the kernel gives is more than one number, and more than the buffer holds.
// run: no
#include <string.h>
#include <sys/socket.h>
int main(int argc, char **argv) {
    static int table[2];
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    if (s < 0) return 1;
    if (argc > 1) {
        struct linger l = {0, 0};
        socklen_t n = sizeof l;
        if (getsockopt(s, SOL_SOCKET, SO_LINGER, &l, &n) < 0) return 1;
        return table[l.l_linger]; //~ violated[array-index]
    }
    char packet[8];
    ssize_t r = recv(s, packet, sizeof packet, MSG_TRUNC);
    if (r < 1) return 1;
    return packet[r - 1]; //~ violated[array-index]
}

// What the system fills where it succeeds is set.
// run: no
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int width(int fd)
{
    struct winsize w;
    if (ioctl(fd, TIOCGWINSZ, &w) < 0)
        return 80;
    return w.ws_col > 0 ? w.ws_col : 80;
}

int main(void)
{
    struct termios t;
    int pair[2];
    int flags = fcntl(0, F_GETFL);
    if (flags < 0 || fcntl(0, F_SETFL, flags | O_NONBLOCK) < 0)
        return 1;
    if (tcgetattr(0, &t) == 0) {
        cfmakeraw(&t);
        tcsetattr(0, TCSANOW, &t);
    }
    if (pipe(pair) == 0) {
        dup2(pair[0], 0);
        close(pair[0]);
        close(pair[1]);
    }
    return width(1) > 200;
}

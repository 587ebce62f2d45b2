/* <termios.h>, <sys/ioctl.h>, <fcntl.h>: control of terminals and of descriptors. */
#include "internal.h"
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static vm_reasons no_terminal = {ENOTTY, EBADF, ENOTTY, EIO, EINTR, EINVAL, ENOTTY, ENOTTY};

static int terminal(const char *what, int fd)
{
    __verify_analysis_only(what);
    VM_DEFINED(fd, what);
    return vm_fails(what, no_terminal) ? -1 : 0;
}

int tcgetattr(int fd, struct termios *out)
{
    if (terminal("tcgetattr", fd) < 0)
        return -1;
    __verify_nondet_bytes(out, sizeof *out, "tcgetattr");
    return 0;
}
int tcsetattr(int fd, int when, const struct termios *in)
{
    __verify_check_defined(in, offsetof(struct termios, c_line), "tcsetattr");
    return terminal("tcsetattr", fd);
}
int tcflush(int fd, int what) { return terminal("tcflush", fd); }
int tcdrain(int fd) { return terminal("tcdrain", fd); }
int tcflow(int fd, int what) { return terminal("tcflow", fd); }
int tcsendbreak(int fd, int n) { return terminal("tcsendbreak", fd); }
int tcsetpgrp(int fd, pid_t group) { return terminal("tcsetpgrp", fd); }
pid_t tcgetpgrp(int fd)
{
    return terminal("tcgetpgrp", fd) < 0 ? -1 : 1 + (pid_t)(__verify_nondet_u64("tcgetpgrp") & 0x3fffff);
}
speed_t cfgetospeed(const struct termios *t) { return t->c_cflag & (CBAUD | CBAUDEX); }
speed_t cfgetispeed(const struct termios *t) { return t->c_cflag & (CBAUD | CBAUDEX); }
int cfsetospeed(struct termios *t, speed_t speed)
{
    t->c_cflag = (t->c_cflag & ~(tcflag_t)(CBAUD | CBAUDEX)) | (speed & (CBAUD | CBAUDEX));
    return 0;
}
int cfsetispeed(struct termios *t, speed_t speed)
{
    return speed == 0 ? 0 : cfsetospeed(t, speed);
}
void cfmakeraw(struct termios *t)
{
    t->c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
    t->c_oflag &= ~(tcflag_t)OPOST;
    t->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
    t->c_cflag = (t->c_cflag & ~(tcflag_t)(CSIZE | PARENB)) | CS8;
    t->c_cc[VMIN] = 1;
    t->c_cc[VTIME] = 0;
}

/* ---- Names of terminals and users. */

enum { TEXT = 4096 };

static char *name(const char *what, char *out, vm_reasons why)
{
    __verify_analysis_only(what);
    if (vm_fails(what, why))
        return NULL;
    vm_text(out, TEXT - 1, what);
    return out;
}

/* Any name may be too long. */
static int name_in(const char *what, char *out, size_t n, vm_reasons why)
{
    __verify_analysis_only(what);
    if (n == 0 || __verify_nondet_u64(what) & 1)
        return ERANGE;
    if (vm_fails(what, why))
        return errno;
    vm_text(out, n - 1, what);
    return 0;
}

static vm_reasons no_login = {ENXIO, ENOTTY, ENOENT, EMFILE, ENFILE, ENOMEM, ENXIO, ENOENT};

char *ttyname(int fd)
{
    static char text[TEXT];
    return name("ttyname", text, no_terminal);
}
int ttyname_r(int fd, char *out, size_t n) { return name_in("ttyname_r", out, n, no_terminal); }
char *getlogin(void)
{
    static char text[TEXT];
    return name("getlogin", text, no_login);
}
int getlogin_r(char *out, size_t n) { return name_in("getlogin_r", out, n, no_login); }

/* ---- fcntl and ioctl. */

static vm_reasons no_control = {EBADF, EINVAL, EACCES, EAGAIN, EINTR, ENOLCK, EPERM, EMFILE};

static int control(int fd, int command, va_list ap)
{
    __verify_analysis_only("fcntl");
    VM_DEFINED(fd, "fcntl");
    VM_DEFINED(command, "fcntl");
    switch (command) {
    case F_DUPFD: case F_DUPFD_CLOEXEC: {
        int least = va_arg(ap, int);
        int to = vm_descriptor("fcntl", no_control);
        return to >= 0 && to < least ? least : to;
    }
    case F_GETFD:
        return vm_fails("fcntl", no_control) ? -1 : (int)(__verify_nondet_u64("fcntl") & FD_CLOEXEC);
    case F_GETFL: case F_GETPIPE_SZ: case F_GETLEASE: case F_GETSIG: case F_GET_SEALS:
        return vm_fails("fcntl", no_control) ? -1 : (int)(__verify_nondet_u64("fcntl") & 0x7fffffff);
    case F_GETOWN:
        return vm_fails("fcntl", no_control) ? -1 : (int)__verify_nondet_u64("fcntl");
    case F_SETFD: case F_SETFL: case F_SETOWN: case F_SETSIG: case F_SETLEASE: case F_SETPIPE_SZ: case F_ADD_SEALS:
    case F_NOTIFY: {
        int value = va_arg(ap, int);
        VM_DEFINED(value, "fcntl");
        return vm_fails("fcntl", no_control) ? -1 : 0;
    }
    case F_GETLK: case F_OFD_GETLK: {
        struct flock *lock = va_arg(ap, struct flock *);
        vm_touch(lock, sizeof *lock);
        if (vm_fails("fcntl", no_control))
            return -1;
        __verify_nondet_bytes(lock, sizeof *lock, "fcntl");
        return 0;
    }
    case F_SETLK: case F_SETLKW: case F_OFD_SETLK: case F_OFD_SETLKW: {
        const struct flock *lock = va_arg(ap, const struct flock *);
        VM_DEFINED(lock->l_type, "fcntl");
        VM_DEFINED(lock->l_start, "fcntl");
        return vm_fails("fcntl", no_control) ? -1 : 0;
    }
    default: __verify_unmodelled("a command of fcntl");
    }
}

#define FCNTL(name)                                                                                                   \
    int name(int fd, int command, ...)                                                                                \
    {                                                                                                                 \
        va_list ap;                                                                                                   \
        va_start(ap, command);                                                                                        \
        int r = control(fd, command, ap);                                                                             \
        va_end(ap);                                                                                                   \
        return r;                                                                                                     \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

/* Requests that say in themselves which way how many bytes go, and the oldest ones. */
int ioctl(int fd, unsigned long request, ...)
{
    __verify_analysis_only("ioctl");
    VM_DEFINED(fd, "ioctl");
    VM_DEFINED(request, "ioctl");
    va_list ap;
    va_start(ap, request);
    void *p = va_arg(ap, void *);
    va_end(ap);
    size_t in = 0, out = 0;
    switch (request) {
    case TIOCGWINSZ: out = sizeof(struct winsize); break;
    case TIOCSWINSZ: in = sizeof(struct winsize); break;
    case FIONREAD: case TIOCOUTQ: case TIOCMGET: case TIOCGPGRP: case TIOCGSID: case TIOCGETD: out = sizeof(int); break;
    case FIONBIO: case FIOASYNC: case TIOCMSET: case TIOCMBIS: case TIOCMBIC: case TIOCSPGRP: case TIOCSETD:
        in = sizeof(int);
        break;
    case TIOCSCTTY: case TIOCNOTTY: case TIOCEXCL: case TIOCNXCL: case TIOCSBRK: case TIOCCBRK: case TCFLSH: case TCSBRK:
    case TCXONC: case FIOCLEX: case FIONCLEX: break;
    default:
        if (_IOC_DIR(request) == _IOC_NONE)
            __verify_unmodelled("a request of ioctl");
        in = _IOC_DIR(request) & _IOC_WRITE ? _IOC_SIZE(request) : 0;
        out = _IOC_DIR(request) & _IOC_READ ? _IOC_SIZE(request) : 0;
    }
    vm_touch(p, in);
    if (vm_fails("ioctl", no_terminal))
        return -1;
    if (out != 0)
        __verify_nondet_bytes(p, out, "ioctl");
    return 0;
}

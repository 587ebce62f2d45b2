/* <termios.h>, <pty.h>, <sys/ioctl.h>, <fcntl.h>: control of terminals and of descriptors. */
#include "internal.h"
#include <fcntl.h>
#include <net/if.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

pid_t __verify_lib_fork(const char *what); /* process.c */
void __verify_lib_leads(void);

/* Requests whose names are in headers of Linux; the numbers never change. */
enum {
    VM_KDGKBTYPE = 0x4b33, VM_KDGETLED = 0x4b31, VM_KDGETMODE = 0x4b3b, VM_KDGKBMODE = 0x4b44, VM_KDGKBMETA = 0x4b62,
    VM_KDGKBLED = 0x4b64, VM_VT_GETMODE = 0x5601, VM_VT_GETSTATE = 0x5603, VM_BLKROGET = 0x125e, VM_BLKGETSIZE = 0x1260,
    VM_BLKSSZGET = 0x1268,
    VM_GETFLAGS = _IOR('f', 1, long), VM_SETFLAGS = _IOW('f', 2, long), VM_GETVERSION = _IOR('v', 1, long),
    VM_SETVERSION = _IOW('v', 2, long), VM_BLKBSZGET = _IOR(0x12, 112, size_t), VM_BLKGETSIZE64 = _IOR(0x12, 114, size_t),
    VM_USBDEVFS = 'U',      /* its requests that are said to write also read */
    LEAST_PIPE = 4096,
    VM_KERNEL_TERMIOS = 36, /* bytes of the kernel's struct, which is shorter than that of <termios.h> */
};

static vm_reasons no_terminal = {ENOTTY, EBADF, ENOTTY, EIO, EINTR, EINVAL, ENOTTY, ENOTTY};

static int terminal(const char *what, int fd)
{
    __verify_analysis_only(what);
    return vm_no_descriptor(fd) || vm_fails(what, no_terminal) ? -1 : 0;
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

void __verify_lib_made(int fd, int kind); /* system.c */
int __verify_lib_kind(int fd);
int __verify_lib_watch(int fd);
extern int __verify_lib_process; /* unistd.c */
int __verify_lib_close(int fd);

/* What was set last, and of which descriptor (-1: of none): those of its state that every kind of file keeps, and whether it is
 * closed by exec. Copies have the state in common, in other processes too. */
int __verify_lib_status_of = -1, __verify_lib_cloexec_of = -1;
static int last_status, last_cloexec;
enum { KEPT = O_NONBLOCK | O_APPEND };

/* Nothing fails of what asks an open descriptor for no more than its flags. */
static int no_flags(int fd)
{
    return __verify_lib_kind(fd) == 0 && vm_fails("fcntl", no_control);
}

static int control(int fd, int command, va_list ap)
{
    __verify_analysis_only("fcntl");
    VM_DEFINED(command, "fcntl");
    if (vm_no_descriptor(fd))
        return -1;
    switch (command) {
    case F_DUPFD: case F_DUPFD_CLOEXEC: {
        int least = va_arg(ap, int);
        if (least < 0) {
            errno = EINVAL;
            return -1;
        }
        int to = (int)vm_copied(fd, -1), kind = __verify_lib_kind(fd);
        if (to < 0) {
            errno = no_control[__verify_nondet_u64("fcntl") & 7];
            return -1;
        }
        if (to < least)
            vm_copied(fd, to = least);
        __verify_lib_made(to, kind == 0 || kind == VM_SOCKET || kind == VM_EPOLL ? VM_FILE : kind);
        return to;
    }
    case F_GETFD:
        if (no_flags(fd))
            return -1;
        if (fd == __verify_lib_cloexec_of && __verify_lib_watch(fd) && fd == __verify_lib_cloexec_of)
            return last_cloexec;
        return (int)(__verify_nondet_u64("fcntl") & FD_CLOEXEC);
    case F_GETFL: {
        if (no_flags(fd))
            return -1;
        int status = (int)(__verify_nondet_u64("fcntl") & 0x7fffffff);
        if (fd == __verify_lib_status_of && __verify_lib_watch(fd) && fd == __verify_lib_status_of && __verify_lib_process == 1)
            status = (status & ~KEPT) | last_status;
        return status;
    }
    case F_GETPIPE_SZ: {
        if (vm_fails("fcntl", no_control))
            return -1;
        int size = (int)(__verify_nondet_u64("fcntl") & 0x7fffffff);
        return size < LEAST_PIPE ? LEAST_PIPE : size;
    }
    case F_GETLEASE: case F_GETSIG: case F_GET_SEALS:
        return vm_fails("fcntl", no_control) ? -1 : (int)(__verify_nondet_u64("fcntl") & 0x7fffffff);
    case F_GETOWN:
        return vm_fails("fcntl", no_control) ? -1 : (int)__verify_nondet_u64("fcntl");
    case F_SETFD: case F_SETFL: case F_SETOWN: case F_SETSIG: case F_SETLEASE: case F_SETPIPE_SZ: case F_ADD_SEALS:
    case F_NOTIFY: {
        int value = va_arg(ap, int);
        VM_DEFINED(value, "fcntl");
        if (command == F_SETFD ? no_flags(fd) : vm_fails("fcntl", no_control))
            return -1;
        /* The size that a pipe has now. */
        if (command == F_SETPIPE_SZ) {
            int size = (int)(__verify_nondet_u64("fcntl") & 0x7fffffff);
            if (size < LEAST_PIPE)
                size = LEAST_PIPE;
            return size < value ? value : size;
        }
        /* The first three are shared with whoever began the program, where it has not made them itself. */
        if (command == F_SETFL) {
            __verify_lib_status_of = (fd > 2 || __verify_lib_kind(fd) != 0) && __verify_lib_watch(fd) ? fd : -1;
            last_status = value & KEPT;
        }
        if (command == F_SETFD) {
            __verify_lib_cloexec_of = __verify_lib_watch(fd) ? fd : -1;
            last_cloexec = value & FD_CLOEXEC;
        }
        return 0;
    }
    case F_GETLK: case F_OFD_GETLK: {
        struct flock *lock = va_arg(ap, struct flock *);
        vm_touch(lock, sizeof *lock);
        if (vm_fails("fcntl", no_control))
            return -1;
        /* Where nothing is in the way, only the type says so. */
        unsigned type = (unsigned)__verify_nondet_u64("fcntl") & 3;
        lock->l_type = type == F_RDLCK ? F_RDLCK : type == F_WRLCK ? F_WRLCK : F_UNLCK;
        if (lock->l_type != F_UNLCK) {
            long start = (long)(__verify_nondet_u64("fcntl") & LONG_MAX), n = (long)(__verify_nondet_u64("fcntl") & LONG_MAX);
            lock->l_whence = SEEK_SET;
            lock->l_start = start;
            lock->l_len = n > LONG_MAX - start ? 0 : n;
            lock->l_pid = (pid_t)__verify_nondet_u64("fcntl");
        }
        return 0;
    }
    case F_SETLK: case F_SETLKW: case F_OFD_SETLK: case F_OFD_SETLKW: {
        const struct flock *lock = va_arg(ap, const struct flock *);
        VM_DEFINED(lock->l_type, "fcntl");
        VM_DEFINED(lock->l_start, "fcntl");
        return vm_fails("fcntl", no_control) ? -1 : 0;
    }
    default:
        __verify_unmodelled_use("a command of fcntl", NULL);
        __verify_unmodelled_use("a command of fcntl", va_arg(ap, void *));
        __verify_unmodelled("a command of fcntl");
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

/* What a request reads (`in`) and writes (`out`) at its argument; `VALUE` where the argument is a number. The numbers of newer
 * requests say in themselves which way how many bytes go, but only where the system does nothing but write is that all there
 * is to know: what is given to it may be a number instead (FICLONE, TUNSETPERSIST), hold pointers and lengths of more
 * (FS_IOC_FIEMAP), or come back changed (TUNSETIFF). So of those that read, the ones named here are known. */
enum { VALUE = -1 };
int ioctl(int fd, unsigned long request, ...)
{
    __verify_analysis_only("ioctl");
    VM_DEFINED(fd, "ioctl");
    VM_DEFINED(request, "ioctl");
    long in = 0, out = 0, at = 0;
    int answers = 0;
    switch (request) {
    case TIOCGWINSZ: out = sizeof(struct winsize); break;
    case TIOCSWINSZ: in = sizeof(struct winsize); break;
    case FIONREAD: case TIOCOUTQ: case TIOCMGET: case TIOCGPGRP: case TIOCGSID: case TIOCGETD: case TIOCGSOFTCAR:
    case VM_KDGETMODE: case VM_KDGKBMODE: case VM_KDGKBMETA: case VM_BLKSSZGET: case VM_BLKROGET:
        out = sizeof(int);
        break;
    case VM_BLKGETSIZE: out = sizeof(long); break;
    /* Their numbers say the size of another type. */
    case VM_GETFLAGS: case VM_GETVERSION: case VM_BLKBSZGET: out = sizeof(int); break;
    case VM_SETFLAGS: case VM_SETVERSION: in = sizeof(int); break;
    case VM_BLKGETSIZE64: out = 8; break;
    case VM_KDGKBTYPE: case VM_KDGKBLED: case VM_KDGETLED: out = 1; break;
    case VM_VT_GETSTATE: case VM_VT_GETMODE: out = request == VM_VT_GETMODE ? 8 : 6; break;
    case TCGETS: out = VM_KERNEL_TERMIOS; break;
    case TCSETS: case TCSETSW: case TCSETSF: in = VM_KERNEL_TERMIOS; break;
    case FIONBIO: case FIOASYNC: case TIOCMSET: case TIOCMBIS: case TIOCMBIC: case TIOCSPGRP: case TIOCSETD: case TIOCPKT:
    case TIOCSPTLCK: case TIOCSSOFTCAR:
        in = sizeof(int);
        break;
    case TIOCSTI: in = 1; break;
    /* The name stays, what was asked for is behind it. */
    case SIOCGIFFLAGS: case SIOCGIFADDR: case SIOCGIFDSTADDR: case SIOCGIFBRDADDR: case SIOCGIFNETMASK: case SIOCGIFMETRIC:
    case SIOCGIFMTU: case SIOCGIFHWADDR: case SIOCGIFINDEX:
        in = out = sizeof(struct ifreq);
        at = offsetof(struct ifreq, ifr_ifru);
        break;
    case TIOCSCTTY: case TIOCSIG: case TCFLSH: case TCSBRK: case TCSBRKP: case TCXONC: in = VALUE; break;
    case TIOCNOTTY: case TIOCEXCL: case TIOCNXCL: case TIOCSBRK: case TIOCCBRK: case FIOCLEX: case FIONCLEX: break;
    default:
        if (_IOC_DIR(request) != _IOC_READ || _IOC_TYPE(request) == VM_USBDEVFS) {
            __verify_unmodelled_use("a request of ioctl", NULL);
            va_list ap;
            va_start(ap, request);
            __verify_unmodelled_use("a request of ioctl", va_arg(ap, void *));
            va_end(ap);
            __verify_unmodelled("a request of ioctl");
        }
        out = _IOC_SIZE(request);
        answers = 1;
    }
    /* A caller may leave out an argument that is not looked at. */
    char *p = NULL;
    if (in > 0 || out > 0) {
        va_list ap;
        va_start(ap, request);
        p = va_arg(ap, char *);
        va_end(ap);
        if (in > 0)
            vm_touch(p, (size_t)in);
    }
    if (vm_no_descriptor(fd) || vm_fails("ioctl", no_terminal))
        return -1;
    if (out > 0)
        __verify_nondet_bytes(p + at, (unsigned long)(out - at), "ioctl");
    /* How many bytes wait, and groups of processes; the bytes of a device are an off_t, its blocks powers of two. */
    switch (request) {
    case FIONREAD: case TIOCOUTQ: case TIOCGPGRP: case TIOCGSID: *(int *)p &= INT_MAX; break;
    case VM_BLKGETSIZE: *(unsigned long *)p &= (unsigned long)(LLONG_MAX / 512); break;
    case VM_BLKGETSIZE64: *(unsigned long long *)p &= LLONG_MAX; break;
    case VM_BLKSSZGET: case VM_BLKBSZGET: *(int *)p = 512 << (*(unsigned *)p & 7); break;
    /* Interfaces are counted from 1. */
    case SIOCGIFINDEX: case SIOCGIFMTU: {
        int *number = (int *)(p + at);
        *number &= INT_MAX;
        if (*number == 0 && request == SIOCGIFINDEX)
            *number = 1;
        break;
    }
    case FIONBIO: __verify_lib_status_of = -1; break;
    case FIOCLEX: case FIONCLEX: __verify_lib_cloexec_of = -1; break;
    }
    /* Some requests of devices answer a length. */
    return answers ? (int)(__verify_nondet_u64("ioctl") & 0x7fffffff) : 0;
}

pid_t tcgetsid(int fd)
{
    return terminal("tcgetsid", fd) < 0 ? -1 : 1 + (pid_t)(__verify_nondet_u64("tcgetsid") & 0x3fffff);
}
int cfsetspeed(struct termios *t, speed_t speed)
{
    t->c_cflag = (t->c_cflag & ~(tcflag_t)(CBAUD | CBAUDEX)) | (speed & (CBAUD | CBAUDEX));
    return 0;
}
int __ttyname_r_chk(int fd, char *out, size_t n, size_t have)
{
    vm_chk(n, have, "ttyname_r is given a size past the end of the buffer");
    return name_in("ttyname_r", out, n, no_terminal);
}
int __getlogin_r_chk(char *out, size_t n, size_t have)
{
    vm_chk(n, have, "getlogin_r is given a size past the end of the buffer");
    return name_in("getlogin_r", out, n, no_login);
}

/* ---- Terminals of programs. */

static vm_reasons no_pair = {ENOENT, EMFILE, ENFILE, ENOSPC, EACCES, ENOTTY, EINVAL, ENOMEM};

/* The two ends of a new terminal, and the name of the second. */
static int pair(const char *what, int ends[2], char *name, const struct termios *t, const struct winsize *size)
{
    __verify_analysis_only(what);
    if (t != NULL)
        __verify_check_defined(t, offsetof(struct termios, c_line), what);
    if (size != NULL)
        vm_touch(size, sizeof *size);
    if (vm_fails(what, no_pair))
        return -1;
    for (int i = 0; i < 2; i++) {
        ends[i] = vm_descriptor(what, no_pair);
        if (ends[i] < 0) {
            if (i == 1)
                __verify_lib_close(ends[0]);
            return -1;
        }
        __verify_lib_made(ends[i], VM_FILE);
    }
    /* The last part is a number of at most seven digits. */
    if (name != NULL) {
        __builtin_memcpy(name, "/dev/pts/", 9);
        vm_text(name + 9, 7, what);
    }
    return 0;
}

int openpty(int *first, int *second, char *name, const struct termios *t, const struct winsize *size)
{
    int ends[2];
    if (pair("openpty", ends, name, t, size) < 0)
        return -1;
    *first = ends[0];
    *second = ends[1];
    return 0;
}

int login_tty(int fd)
{
    VM_DEFINED(fd, "login_tty");
    if (terminal("login_tty", fd) < 0)
        return -1;
    __verify_lib_leads();
    for (int i = 0; i < 3; i++)
        __verify_lib_made(i, VM_FILE);
    if (fd > 2)
        __verify_lib_close(fd);
    return 0;
}

/* Only the parent is told the first end. A child that gets no terminal ends. */
pid_t forkpty(int *first, char *name, const struct termios *t, const struct winsize *size)
{
    int ends[2];
    if (pair("forkpty", ends, name, t, size) < 0)
        return -1;
    pid_t child = __verify_lib_fork("forkpty");
    if (child <= 0)
        __verify_lib_close(ends[0]);
    if (child != 0)
        __verify_lib_close(ends[1]);
    if (child > 0)
        *first = ends[0];
    else if (child == 0 && login_tty(ends[1]) < 0)
        _exit(1);
    return child;
}

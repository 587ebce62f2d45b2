/* <unistd.h> and <fcntl.h>: files by descriptor, and what a process may ask about itself. */
#include "internal.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static ssize_t output(int fd, const void *p, size_t n)
{
    __verify_check_defined(p, n, "write");
    return vm_result(__verify_sys_write(fd, p, n));
}

ssize_t read(int fd, void *p, size_t n) { return vm_result(__verify_sys_read(fd, p, n)); }
ssize_t __read(int fd, void *p, size_t n) { return vm_result(__verify_sys_read(fd, p, n)); }
ssize_t write(int fd, const void *p, size_t n) { return output(fd, p, n); }
ssize_t __write(int fd, const void *p, size_t n) { return output(fd, p, n); }

ssize_t __read_chk(int fd, void *p, size_t n, size_t have)
{
    vm_chk(n, have, "read is given a size past the end of the buffer");
    return vm_result(__verify_sys_read(fd, p, n));
}

/* Positioned input and output: seek, transfer, seek back. */
static ssize_t positioned(int fd, void *in, const void *out, size_t n, long at)
{
    long before = __verify_sys_lseek(fd, 0, SEEK_CUR);
    long r = before < 0 ? before : __verify_sys_lseek(fd, at, SEEK_SET);
    if (r < 0)
        return vm_result(r);
    r = in != NULL ? __verify_sys_read(fd, in, n) : __verify_sys_write(fd, out, n);
    __verify_sys_lseek(fd, before, SEEK_SET);
    return vm_result(r);
}

ssize_t pread(int fd, void *p, size_t n, off_t at) { return positioned(fd, p, NULL, n, at); }
ssize_t pread64(int fd, void *p, size_t n, off64_t at) { return positioned(fd, p, NULL, n, (long)at); }
ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
    __verify_check_defined(p, n, "pwrite");
    return positioned(fd, NULL, p, n, at);
}
ssize_t pwrite64(int fd, const void *p, size_t n, off64_t at)
{
    __verify_check_defined(p, n, "pwrite");
    return positioned(fd, NULL, p, n, (long)at);
}

ssize_t readv(int fd, const struct iovec *v, int count)
{
    long done = 0;
    for (int i = 0; i < count; i++) {
        long r = __verify_sys_read(fd, v[i].iov_base, v[i].iov_len);
        if (r < 0)
            return done > 0 ? done : vm_result(r);
        done += r;
        if ((size_t)r < v[i].iov_len)
            break;
    }
    return done;
}

ssize_t writev(int fd, const struct iovec *v, int count)
{
    long done = 0;
    for (int i = 0; i < count; i++) {
        __verify_check_defined(v[i].iov_base, v[i].iov_len, "writev");
        long r = __verify_sys_write(fd, v[i].iov_base, v[i].iov_len);
        if (r < 0)
            return done > 0 ? done : vm_result(r);
        done += r;
        if ((size_t)r < v[i].iov_len)
            break;
    }
    return done;
}

static int open_file(const char *path, int flags, va_list ap)
{
    int mode = 0;
    if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
        mode = va_arg(ap, int);
        VM_DEFINED(mode, "mode argument of open");
    }
    return (int)vm_result(vm_open(path, flags, mode));
}

#define OPEN(name)                                                                                                    \
    int name(const char *path, int flags, ...)                                                                        \
    {                                                                                                                 \
        va_list ap;                                                                                                   \
        va_start(ap, flags);                                                                                          \
        int fd = open_file(path, flags, ap);                                                                          \
        va_end(ap);                                                                                                   \
        return fd;                                                                                                    \
    }

OPEN(open)
OPEN(open64)
OPEN(__open)

#define OPENAT(name)                                                                                                  \
    int name(int directory, const char *path, int flags, ...)                                                         \
    {                                                                                                                 \
        if (directory != AT_FDCWD && path[0] != '/')                                                                  \
            __verify_analysis_only("openat relative to a directory");                                                    \
        va_list ap;                                                                                                   \
        va_start(ap, flags);                                                                                          \
        int fd = open_file(path, flags, ap);                                                                          \
        va_end(ap);                                                                                                   \
        return fd;                                                                                                    \
    }

OPENAT(openat)
OPENAT(openat64)

int __open_2(const char *path, int flags) { return (int)vm_result(vm_open(path, flags, 0)); }
int __open64_2(const char *path, int flags) { return (int)vm_result(vm_open(path, flags, 0)); }
int creat(const char *path, mode_t mode)
{
    return (int)vm_result(vm_open(path, O_WRONLY | O_CREAT | O_TRUNC, (int)mode));
}
int creat64(const char *path, mode_t mode)
{
    return (int)vm_result(vm_open(path, O_WRONLY | O_CREAT | O_TRUNC, (int)mode));
}
/* Descriptors that were closed since epoll knows of them (system.c). */
unsigned char __verify_lib_closed[1024];

static int close_one(int fd)
{
    if (fd >= 0 && fd < (int)sizeof __verify_lib_closed)
        __verify_lib_closed[fd] = 1;
    return (int)vm_result(__verify_sys_close(fd));
}

int close(int fd) { return close_one(fd); }
int __close(int fd) { return close_one(fd); }
off_t lseek(int fd, off_t off, int whence) { return vm_result(__verify_sys_lseek(fd, off, whence)); }
off64_t lseek64(int fd, off64_t off, int whence) { return vm_result(__verify_sys_lseek(fd, (long)off, whence)); }
int unlink(const char *path) { return (int)vm_result(__verify_sys_unlink(path)); }

static int succeed_or(const char *what, int e)
{
    if (__verify_choose_failure(what)) {
        errno = e;
        return -1;
    }
    return 0;
}

int fsync(int fd) { return succeed_or("fsync", EIO); }
int fdatasync(int fd) { return succeed_or("fdatasync", EIO); }
void sync(void) {}
int posix_fadvise(int fd, off_t off, off_t n, int advice) { return 0; }
int posix_fadvise64(int fd, off64_t off, off64_t n, int advice) { return 0; }

/* Existence is looked up; permission is a free choice. */
int access(const char *path, int mode)
{
    unsigned long st[3];
    int r = __verify_sys_stat(path, -1, st);
    if (r < 0)
        return (int)vm_result(r);
    return mode == F_OK ? 0 : succeed_or("access", EACCES);
}

int euidaccess(const char *path, int mode)
{
    unsigned long st[3];
    int r = __verify_sys_stat(path, -1, st);
    if (r < 0)
        return (int)vm_result(r);
    return mode == F_OK ? 0 : succeed_or("euidaccess", EACCES);
}

/* Any character device counts as a terminal. */
int isatty(int fd)
{
    unsigned long st[3];
    int r = __verify_sys_stat(NULL, fd, st);
    if (r < 0)
        return vm_result(r) == 0;
    if (S_ISCHR((mode_t)st[0]))
        return 1;
    errno = ENOTTY;
    return 0;
}

/* ---- The process: numbers that do not change, each chosen at its first use: until the process divides, or gets other
 * rights. */

int __verify_lib_process = 1, __verify_lib_identity = 1;

struct constant {
    long value;
    int of;
};

static long constant(const char *what, struct constant *c, int now, long least)
{
    __verify_lib_outside_numbers = 1;
    if (c->of != now) {
        c->value = (long)(__verify_nondet_u64(what) & 0x3fffff);
        if (c->value < least)
            c->value = least;
        c->of = now;
    }
    return c->value;
}

static struct constant self;

long __verify_lib_getpid(void) { return constant("getpid", &self, __verify_lib_process, 2); }
pid_t getpid(void) { return (pid_t)__verify_lib_getpid(); }

#define CONSTANT(type, name, now, least)                                                                              \
    type name(void)                                                                                                   \
    {                                                                                                                 \
        static struct constant c;                                                                                     \
        return (type)constant(#name, &c, now, least);                                                                 \
    }

CONSTANT(pid_t, getppid, __verify_lib_process, 1)
CONSTANT(pid_t, getpgrp, __verify_lib_process, 1)

static struct constant user, group;

uid_t getuid(void) { return (uid_t)constant("getuid", &user, __verify_lib_identity, 0); }
uid_t geteuid(void) { return (uid_t)constant("getuid", &user, __verify_lib_identity, 0); }
gid_t getgid(void) { return (gid_t)constant("getgid", &group, __verify_lib_identity, 0); }
gid_t getegid(void) { return (gid_t)constant("getgid", &group, __verify_lib_identity, 0); }

int getpagesize(void)
{
    return 4096;
}

long sysconf(int name)
{
    switch (name) {
    case _SC_PAGESIZE: return 4096;
    case _SC_CLK_TCK: return 100;
    case _SC_NPROCESSORS_ONLN: case _SC_NPROCESSORS_CONF: return 1 + (long)(__verify_nondet_u64("sysconf") & 63);
    default: return (long)(__verify_nondet_u64("sysconf") & 0x7fffffff);
    }
}

mode_t umask(mode_t mask)
{
    static mode_t current = 022;
    mode_t before = current;
    current = mask & 0777;
    return before;
}

/* A text of outside origin, NUL-terminated where it fits. */
int gethostname(char *out, size_t size)
{
    size_t n = __verify_nondet_u64("gethostname") & 63;
    if (n >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    __verify_nondet_bytes(out, n, "gethostname");
    for (size_t i = 0; i < n; i++)
        __verify_assume(out[i] > ' ' && out[i] < 127);
    out[n] = 0;
    return 0;
}

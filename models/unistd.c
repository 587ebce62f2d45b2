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
    return vm_result(vm_write(fd, p, n));
}

ssize_t read(int fd, void *p, size_t n) { return vm_result(vm_read(fd, p, n)); }
ssize_t __read(int fd, void *p, size_t n) { return vm_result(vm_read(fd, p, n)); }
ssize_t write(int fd, const void *p, size_t n) { return output(fd, p, n); }
ssize_t __write(int fd, const void *p, size_t n) { return output(fd, p, n); }

ssize_t __read_chk(int fd, void *p, size_t n, size_t have)
{
    vm_chk(n, have, "read is given a size past the end of the buffer");
    return vm_result(vm_read(fd, p, n));
}

/* Positioned input and output: seek, transfer, seek back. */
static ssize_t positioned(int fd, void *in, const void *out, size_t n, long at)
{
    long before = vm_lseek(fd, 0, SEEK_CUR);
    long r = before < 0 ? before : vm_lseek(fd, at, SEEK_SET);
    if (r < 0)
        return vm_result(r);
    r = in != NULL ? vm_read(fd, in, n) : vm_write(fd, out, n);
    vm_lseek(fd, before, SEEK_SET);
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
        long r = vm_read(fd, v[i].iov_base, v[i].iov_len);
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
        long r = vm_write(fd, v[i].iov_base, v[i].iov_len);
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
    return (int)vm_result(vm_close(fd));
}

int close(int fd) { return close_one(fd); }
int __close(int fd) { return close_one(fd); }
off_t lseek(int fd, off_t off, int whence) { return vm_result(vm_lseek(fd, off, whence)); }
off64_t lseek64(int fd, off64_t off, int whence) { return vm_result(vm_lseek(fd, (long)off, whence)); }
int unlink(const char *path) { return (int)vm_result(__verify_sys_unlink(path)); }

static int to_disk(int fd, const char *what)
{
    static vm_reasons why = {EIO, EINVAL, EROFS, ENOSPC, EDQUOT, EBADF, EINTR, EIO};
    return vm_no_descriptor(fd) || vm_fails(what, why) ? -1 : 0;
}
int fsync(int fd) { return to_disk(fd, "fsync"); }
int fdatasync(int fd) { return to_disk(fd, "fdatasync"); }
int syncfs(int fd) { return to_disk(fd, "syncfs"); }
int sync_file_range(int fd, off64_t from, off64_t n, unsigned flags) { return to_disk(fd, "sync_file_range"); }
void sync(void) {}
/* A pipe takes no advice. The answer is the reason itself. */
static int advised(int fd)
{
    static vm_reasons why = {ESPIPE, EBADF, EINVAL, ESPIPE, EBADF, EINVAL, ESPIPE, ESPIPE};
    return fd < 0 ? EBADF : __verify_choose_failure("posix_fadvise") ? why[__verify_nondet_u64("posix_fadvise") & 7] : 0;
}
int posix_fadvise(int fd, off_t off, off_t n, int advice) { return advised(fd); }
int posix_fadvise64(int fd, off64_t off, off64_t n, int advice) { return advised(fd); }

/* Existence is looked up; permission is a free choice. */
static int permitted(const char *path, int mode, const char *what)
{
    static vm_reasons why = {EACCES, EROFS, ETXTBSY, EIO, EPERM, EACCES, EACCES, EACCES};
    unsigned long st[3] = {0};
    if (mode & ~(R_OK | W_OK | X_OK)) {
        errno = EINVAL;
        return -1;
    }
    int r = __verify_sys_stat(path, -1, st);
    if (r < 0)
        return (int)vm_result(r);
    return mode != F_OK && vm_fails(what, why) ? -1 : 0;
}
int access(const char *path, int mode) { return permitted(path, mode, "access"); }
int euidaccess(const char *path, int mode) { return permitted(path, mode, "euidaccess"); }

/* Any character device counts as a terminal. */
int isatty(int fd)
{
    unsigned long st[3] = {0};
    if (vm_no_descriptor(fd))
        return 0;
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

static long constant(const char *what, struct constant *c, int now, unsigned long most, long least)
{
    __verify_lib_outside_numbers = 1;
    if (c->of != now) {
        c->value = (long)(__verify_nondet_u64(what) & most);
        if (c->value < least)
            c->value = least;
        c->of = now;
    }
    return c->value;
}

/* Numbers of processes go up to 2^22, those of users and groups through 32 bits. */
enum { MOST_PROCESSES = 0x3fffff };
#define MOST_USERS 0xffffffffUL

static struct constant self;

long __verify_lib_getpid(void) { return constant("getpid", &self, __verify_lib_process, MOST_PROCESSES, 2); }
pid_t getpid(void) { return (pid_t)__verify_lib_getpid(); }

pid_t getpgrp(void)
{
    static struct constant c;
    return (pid_t)constant("getpgrp", &c, __verify_lib_process, MOST_PROCESSES, 1);
}

/* The parent may end between two calls, then it is another one; 0: it is not seen from here. */
pid_t getppid(void)
{
    __verify_lib_outside_numbers = 1;
    return (pid_t)(__verify_nondet_u64("getppid") & MOST_PROCESSES);
}

/* The effective numbers are others where the program is installed with the rights of another user. */
static long identity(int which)
{
    static const char *const names[4] = {"getuid", "geteuid", "getgid", "getegid"};
    static struct constant all[4];
    return constant(names[which], &all[which], __verify_lib_identity, MOST_USERS, 0);
}
uid_t getuid(void) { return (uid_t)identity(0); }
uid_t geteuid(void) { return (uid_t)identity(1); }
gid_t getgid(void) { return (gid_t)identity(2); }
gid_t getegid(void) { return (gid_t)identity(3); }

int getpagesize(void)
{
    return 4096;
}

/* What is not a number of its own in the C library: no limit or none that is known (-1), or any. */
long sysconf(int name)
{
    switch (name) {
    case _SC_PAGESIZE: return 4096;
    case _SC_CLK_TCK: return 100;
    case _SC_VERSION: return _POSIX_VERSION;
    case _SC_NPROCESSORS_ONLN: case _SC_NPROCESSORS_CONF: return 1 + (long)(__verify_nondet_u64("sysconf") & 8191);
    /* Limits that a type of C has, as a number that may have come round. */
    case _SC_CHAR_MIN: case _SC_INT_MIN: case _SC_SCHAR_MIN: case _SC_SHRT_MIN: case _SC_ULONG_MAX:
        __verify_unmodelled("sysconf of a limit of a type");
    }
    long n = (long)__verify_nondet_u64("sysconf");
    if (n < 0) {
        if (__verify_choose_failure("sysconf"))
            errno = EINVAL;
        n = -1;
    }
    return n;
}

mode_t umask(mode_t mask)
{
    static mode_t current;
    static int known;
    mode_t before = known ? current : (mode_t)(__verify_nondet_u64("umask") & 0777);
    current = mask & 0777;
    known = 1;
    return before;
}

/* Up to 64 bytes; where they do not fit with their end, as many as do, without one. */
static int host_name(char *out, size_t size)
{
    char own[65];
    vm_text(own, sizeof own - 1, "gethostname");
    size_t n = vm_strlen(own) + 1;
    __builtin_memcpy(out, own, n < size ? n : size);
    if (n > size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return 0;
}

int gethostname(char *out, size_t size) { return host_name(out, size); }
int __gethostname_chk(char *out, size_t size, size_t have)
{
    vm_chk(size, have, "gethostname is given a size past the end of the buffer");
    return host_name(out, size);
}

/* The text is cut where it does not fit. */
static int domain_name(char *out, size_t size)
{
    char own[65];
    vm_text(own, sizeof own - 1, "getdomainname");
    size_t n = vm_strlen(own) + 1;
    __builtin_memcpy(out, own, n < size ? n : size);
    return 0;
}

int getdomainname(char *out, size_t size) { return domain_name(out, size); }
int __getdomainname_chk(char *out, size_t size, size_t have)
{
    vm_chk(size, have, "getdomainname is given a size past the end of the buffer");
    return domain_name(out, size);
}

ssize_t __pread_chk(int fd, void *p, size_t n, off_t at, size_t have)
{
    vm_chk(n, have, "pread is given a size past the end of the buffer");
    return positioned(fd, p, NULL, n, at);
}

ssize_t __pread64_chk(int fd, void *p, size_t n, off64_t at, size_t have)
{
    vm_chk(n, have, "pread is given a size past the end of the buffer");
    return positioned(fd, p, NULL, n, (long)at);
}

int getdtablesize(void) { return 1 + (int)(__verify_nondet_u64("getdtablesize") & 0x3fffffff); }
int get_nprocs(void) { return 1 + (int)(__verify_nondet_u64("get_nprocs") & 8191); }
int get_nprocs_conf(void) { return 1 + (int)(__verify_nondet_u64("get_nprocs_conf") & 8191); }

/* The real and the effective numbers are those that the other functions say. */
int getresuid(uid_t *real, uid_t *effective, uid_t *saved)
{
    *real = (uid_t)identity(0);
    *effective = (uid_t)identity(1);
    *saved = (uid_t)__verify_nondet_u64("getresuid");
    return 0;
}

int getresgid(gid_t *real, gid_t *effective, gid_t *saved)
{
    *real = (gid_t)identity(2);
    *effective = (gid_t)identity(3);
    *saved = (gid_t)__verify_nondet_u64("getresgid");
    return 0;
}

/* Into the pieces, or out of them. */
static ssize_t pieces_at(int fd, const struct iovec *v, int count, long at, int out)
{
    long done = 0;
    for (int i = 0; i < count; i++) {
        if (out)
            __verify_check_defined(v[i].iov_base, v[i].iov_len, "pwritev");
        long r = positioned(fd, out ? NULL : v[i].iov_base, out ? v[i].iov_base : NULL, v[i].iov_len, at + done);
        if (r < 0)
            return done > 0 ? done : r;
        done += r;
        if ((size_t)r < v[i].iov_len)
            break;
    }
    return done;
}
ssize_t preadv(int fd, const struct iovec *v, int count, off_t at) { return pieces_at(fd, v, count, at, 0); }
ssize_t preadv64(int fd, const struct iovec *v, int count, off64_t at) { return pieces_at(fd, v, count, (long)at, 0); }

ssize_t pwritev(int fd, const struct iovec *v, int count, off_t at) { return pieces_at(fd, v, count, at, 1); }
ssize_t pwritev64(int fd, const struct iovec *v, int count, off64_t at) { return pieces_at(fd, v, count, (long)at, 1); }

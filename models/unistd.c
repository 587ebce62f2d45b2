/* <unistd.h> and <fcntl.h>: files by descriptor, and what a process may ask about itself. */
#include "internal.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* Of what is no file; system.c. */
long __verify_lib_read(int fd, void *p, size_t n);
long __verify_lib_special_write(int fd, const void *p, size_t n);
int __verify_lib_kind(int fd);

static long input(int fd, void *p, size_t n) { return fd < 0 ? -EBADF : __verify_lib_read(fd, p, n); }

static ssize_t output(int fd, const void *p, size_t n)
{
    __verify_check_defined(p, n, "write");
    long r = __verify_lib_special_write(fd, p, n);
    return vm_result(r != VM_NOT_SPECIAL ? r : vm_write(fd, p, n));
}

ssize_t read(int fd, void *p, size_t n) { return vm_result(input(fd, p, n)); }
ssize_t __read(int fd, void *p, size_t n) { return vm_result(input(fd, p, n)); }
ssize_t write(int fd, const void *p, size_t n) { return output(fd, p, n); }
ssize_t __write(int fd, const void *p, size_t n) { return output(fd, p, n); }

ssize_t __read_chk(int fd, void *p, size_t n, size_t have)
{
    vm_chk(n, have, "read is given a size past the end of the buffer");
    return vm_result(input(fd, p, n));
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

/* The number of an eventfd or a timerfd, in pieces: systems differ. */
static void in_one_piece(int fd, int count, const char *what)
{
    int kind = __verify_lib_kind(fd);
    if (count > 1 && (kind == VM_EVENTS || kind == VM_TIMER))
        __verify_unmodelled(what);
}

ssize_t readv(int fd, const struct iovec *v, int count)
{
    in_one_piece(fd, count, "readv of a number in pieces");
    long done = 0;
    for (int i = 0; i < count; i++) {
        long r = input(fd, v[i].iov_base, v[i].iov_len);
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
    in_one_piece(fd, count, "writev of a number in pieces");
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
extern int __verify_lib_high_closed; /* system.c */

/* The number is that of no file, or of another one from here on. */
void __verify_lib_is_closed(int fd)
{
    if (fd >= (int)sizeof __verify_lib_closed)
        __verify_lib_high_closed = 1;
    else if (fd >= 0)
        __verify_lib_closed[fd] = 1;
}

/* As the primitive, for one that a part of the program may know: -errno. */
int __verify_lib_close(int fd)
{
    __verify_lib_is_closed(fd);
    return (int)vm_close(fd);
}

int close(int fd) { return (int)vm_result(__verify_lib_close(fd)); }
int __close(int fd) { return (int)vm_result(__verify_lib_close(fd)); }

off_t lseek(int fd, off_t off, int whence) { return vm_result(vm_lseek(fd, off, whence)); }
off64_t lseek64(int fd, off64_t off, int whence) { return vm_result(vm_lseek(fd, (long)off, whence)); }

int unlink(const char *path) { return (int)vm_result(path[0] == 0 ? -ENOENT : __verify_sys_unlink(path)); }

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
    int r = path[0] == 0 ? -ENOENT : __verify_sys_stat(path, -1, st);
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

/* ---- The process: numbers that do not change, each chosen at its first use; that of the process until it divides. */

int __verify_lib_process = 1;

struct constant {
    long value;
    int of;
};

static long constant(const char *what, struct constant *c, int now, unsigned long most, long least)
{
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

long __verify_lib_getpid(void)
{
    __verify_lib_outside_numbers = 1;
    return constant("getpid", &self, __verify_lib_process, MOST_PROCESSES, 2);
}
pid_t getpid(void) { return (pid_t)__verify_lib_getpid(); }

/* This process is a child from here on, with a number that is nobody else's, nor that of its group or session. */
void __verify_lib_is_child(long group, long session)
{
    long parent = __verify_lib_getpid(), most = group > session ? group : session;
    __verify_lib_process++;
    long number = __verify_lib_getpid();
    if (number == parent || number == group || number == session)
        self.value = 1 + (parent > most ? parent : most);
    __verify_assume(self.value <= MOST_PROCESSES);
}

/* The parent may end between two calls, then it is another one; 0: it is not seen from here. Nobody is his own. */
pid_t getppid(void)
{
    __verify_lib_outside_numbers = 1;
    long parent = (long)(__verify_nondet_u64("getppid") & MOST_PROCESSES);
    return parent == __verify_lib_getpid() ? 1 : (pid_t)parent;
}

/* The real, effective and saved number of the user, then those of the group; they are changed in process.c. The effective
 * numbers are others where the program is installed with the rights of another user. Nobody has the last number. */
long *__verify_lib_identity(int which)
{
    static const char *const names[6] = {"getuid", "geteuid", "getresuid", "getgid", "getegid", "getresgid"};
    static struct constant all[6];
    __verify_lib_outside_numbers = 1;
    constant(names[which], &all[which], 1, MOST_USERS, 0);
    if (all[which].value == (long)MOST_USERS)
        all[which].value = 0;
    return &all[which].value;
}
uid_t getuid(void) { return (uid_t)*__verify_lib_identity(0); }
uid_t geteuid(void) { return (uid_t)*__verify_lib_identity(1); }
gid_t getgid(void) { return (gid_t)*__verify_lib_identity(3); }
gid_t getegid(void) { return (gid_t)*__verify_lib_identity(4); }

int getpagesize(void)
{
    return 4096;
}

/* Changed by setrlimit (process.c): what follows from a limit is chosen anew. */
int __verify_lib_limits = 1;

/* How many descriptors there may be: the limit, also where it is less than POSIX promises. */
static long descriptors(void)
{
    static struct constant c;
    long n = constant("sysconf", &c, __verify_lib_limits, 0x7fffffff, 0);
    return n > 0x7fffffc0 ? 0x7fffffc0 : n;
}

static long processors(void)
{
    static struct constant c;
    return 1 + constant("get_nprocs_conf", &c, 1, 8191, 0);
}

/* Some may be switched off, and on again. */
static long processors_on(void)
{
    long all = processors(), on = 1 + (long)(__verify_nondet_u64("get_nprocs") & 8191);
    return on > all ? all : on;
}

#define MOST_PAGES (((1ull << 40) - 1) & LONG_MAX)

static long memory(void)
{
    static struct constant c;
    return constant("sysconf", &c, 1, MOST_PAGES, 1);
}

static long free_memory(void)
{
    long all = memory(), some = (long)(__verify_nondet_u64("sysconf") & MOST_PAGES);
    return some > all ? all : some;
}

static long least_signal_stack(void)
{
    static struct constant c;
    return constant("sysconf", &c, 1, 0xfffff, 2048);
}

static long signal_stack(void)
{
    static struct constant c;
    return constant("sysconf", &c, 1, 0xffffff, least_signal_stack());
}

/* Names that have no number of their own here, and no limit (-1) or any, which may be 0 for a few: the one that was asked for
 * last keeps its answer. */
static long other(int name)
{
    static struct constant c;
    static int last = -1, limits;
    if (name != last || limits != __verify_lib_limits)
        c.of = 0;
    last = name;
    limits = __verify_lib_limits;
    long n = constant("sysconf", &c, 1, ~0ul, -1);
    int none = name == _SC_CHILD_MAX || name == _SC_SIGQUEUE_MAX ||
               (name >= _SC_LEVEL1_ICACHE_SIZE && name <= _SC_LEVEL4_CACHE_LINESIZE);
    return n == 0 && !none ? 1 : n;
}

long sysconf(int name)
{
    if (name < 0 || name > _SC_SIGSTKSZ || (name > _SC_LEVEL4_CACHE_LINESIZE && name < _SC_IPV6)) {
        errno = EINVAL;
        return -1;
    }
    static struct constant arguments, groups, stack;
    switch (name) {
    case _SC_PAGESIZE: return 4096;
    case _SC_CLK_TCK: return 100;
    case _SC_VERSION: return _POSIX_VERSION;
    case _SC_HOST_NAME_MAX: return 64;
    case _SC_IOV_MAX: return 1024;
    case _SC_LINE_MAX: return 2048;
    case _SC_GETPW_R_SIZE_MAX: case _SC_GETGR_R_SIZE_MAX: return 1024;
    case _SC_OPEN_MAX: return descriptors();
    case _SC_ARG_MAX: return constant("sysconf", &arguments, __verify_lib_limits, LONG_MAX / 2, 4096);
    case _SC_NGROUPS_MAX: return constant("sysconf", &groups, 1, 0x7fffffff, 8);
    case _SC_THREAD_STACK_MIN: return constant("sysconf", &stack, 1, 0xffffff, 16384);
    case _SC_MINSIGSTKSZ: return least_signal_stack();
    case _SC_SIGSTKSZ: return signal_stack();
    case _SC_NPROCESSORS_CONF: return processors();
    case _SC_NPROCESSORS_ONLN: return processors_on();
    case _SC_PHYS_PAGES: return memory();
    case _SC_AVPHYS_PAGES: return free_memory();
    /* Limits that a type of C has, as a number that may have come round. */
    case _SC_CHAR_MIN: case _SC_INT_MIN: case _SC_SCHAR_MIN: case _SC_SHRT_MIN: case _SC_ULONG_MAX:
        __verify_unmodelled("sysconf of a limit of a type");
    }
    return other(name);
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

int getdtablesize(void) { return (int)descriptors(); }
int get_nprocs(void) { return (int)processors_on(); }
int get_nprocs_conf(void) { return (int)processors(); }

static int three(int first, unsigned *real, unsigned *effective, unsigned *saved)
{
    *real = (unsigned)*__verify_lib_identity(first);
    *effective = (unsigned)*__verify_lib_identity(first + 1);
    *saved = (unsigned)*__verify_lib_identity(first + 2);
    return 0;
}
int getresuid(uid_t *real, uid_t *effective, uid_t *saved) { return three(0, real, effective, saved); }
int getresgid(gid_t *real, gid_t *effective, gid_t *saved) { return three(3, real, effective, saved); }

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

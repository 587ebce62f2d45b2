/* <unistd.h>, <fcntl.h>, <sys/stat.h>, <stdlib.h>: names in the file system that are made, changed and looked up. Whether a
 * change succeeds is open, and so is what is found afterwards: the system's answers do not depend on one another. */
#include "internal.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/types.h>
#include <unistd.h>

static vm_reasons no_change = {EACCES, ENOENT, EEXIST, ENOTDIR, ENOSPC, EPERM, EROFS, ELOOP};

/* One or two paths (NULL: none), and whether it succeeds. */
static int change(const char *what, const char *a, const char *b)
{
    __verify_analysis_only(what);
    if (a != NULL)
        vm_path(a);
    if (b != NULL)
        vm_path(b);
    if ((a != NULL && a[0] == 0) || (b != NULL && b[0] == 0)) {
        errno = ENOENT;
        return -1;
    }
    return vm_fails(what, no_change) ? -1 : 0;
}

int chdir(const char *path) { return change("chdir", path, NULL); }
int chroot(const char *path) { return change("chroot", path, NULL); }
int rmdir(const char *path) { return change("rmdir", path, NULL); }
int mkdir(const char *path, mode_t mode) { return change("mkdir", path, NULL); }
int mkdirat(int at, const char *path, mode_t mode) { return change("mkdirat", path, NULL); }
int mkfifo(const char *path, mode_t mode) { return change("mkfifo", path, NULL); }
int mkfifoat(int at, const char *path, mode_t mode) { return change("mkfifoat", path, NULL); }
int mknod(const char *path, mode_t mode, dev_t dev) { return change("mknod", path, NULL); }
int mknodat(int at, const char *path, mode_t mode, dev_t dev) { return change("mknodat", path, NULL); }
int link(const char *from, const char *to) { return change("link", from, to); }
int linkat(int a, const char *from, int b, const char *to, int flags)
{
    return change("linkat", flags & AT_EMPTY_PATH ? NULL : from, to);
}
int symlink(const char *from, const char *to) { return change("symlink", from, to); }
int symlinkat(const char *from, int at, const char *to) { return change("symlinkat", from, to); }
int unlinkat(int at, const char *path, int flags) { return change("unlinkat", path, NULL); }
int renameat(int a, const char *from, int b, const char *to) { return change("renameat", from, to); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) { return change("renameat2", from, to); }
int lchown(const char *path, uid_t u, gid_t g) { return change("lchown", path, NULL); }
int fchmodat(int at, const char *path, mode_t mode, int flags) { return change("fchmodat", path, NULL); }
int fchownat(int at, const char *path, uid_t u, gid_t g, int flags)
{
    return change("fchownat", flags & AT_EMPTY_PATH ? NULL : path, NULL);
}
int faccessat(int at, const char *path, int mode, int flags) { return change("faccessat", path, NULL); }
int eaccess(const char *path, int mode) { return change("eaccess", path, NULL); }
static int shorten(const char *path, off64_t n)
{
    if (n >= 0)
        return change("truncate", path, NULL);
    vm_path(path);
    errno = EINVAL;
    return -1;
}
int truncate(const char *path, off_t n) { return shorten(path, n); }
int truncate64(const char *path, off64_t n) { return shorten(path, n); }
int lutimes(const char *path, const struct timeval t[2]) { return change("lutimes", path, NULL); }
int futimesat(int at, const char *path, const struct timeval t[2]) { return change("futimesat", path, NULL); }

int utimensat(int at, const char *path, const struct timespec t[2], int flags)
{
    if (t != NULL)
        vm_touch(t, 2 * sizeof *t);
    return change("utimensat", path, NULL);
}

static int of_descriptor(const char *what, int fd)
{
    __verify_analysis_only(what);
    static vm_reasons why = {EBADF, EINVAL, ENOSPC, EIO, EINTR, EROFS, EFBIG, EAGAIN};
    return vm_no_descriptor(fd) || vm_fails(what, why) ? -1 : 0;
}
int fchdir(int fd) { return of_descriptor("fchdir", fd); }
/* What no file has: a negative place, or room for nothing. Then the reason is that, or that nothing is open. */
static int of_room(const char *what, int fd, int is_room)
{
    if (is_room)
        return of_descriptor(what, fd);
    __verify_analysis_only(what);
    errno = fd < 0 || __verify_choose_failure(what) ? EBADF : EINVAL;
    return -1;
}
int ftruncate(int fd, off_t n) { return of_room("ftruncate", fd, n >= 0); }
int ftruncate64(int fd, off64_t n) { return of_room("ftruncate", fd, n >= 0); }
int fallocate(int fd, int mode, off_t at, off_t n) { return of_room("fallocate", fd, at >= 0 && n > 0); }
int fallocate64(int fd, int mode, off64_t at, off64_t n) { return of_room("fallocate", fd, at >= 0 && n > 0); }
int flock(int fd, int what) { return of_descriptor("flock", fd); }
int lockf(int fd, int what, off_t n) { return of_descriptor("lockf", fd); }
int lockf64(int fd, int what, off64_t n) { return of_descriptor("lockf", fd); }
int posix_fallocate(int fd, off_t at, off_t n) { return of_room("posix_fallocate", fd, at >= 0 && n > 0) < 0 ? errno : 0; }
int posix_fallocate64(int fd, off64_t at, off64_t n)
{
    return of_room("posix_fallocate", fd, at >= 0 && n > 0) < 0 ? errno : 0;
}

/* ---- Paths as answers: up to PATH_MAX - 1 bytes, none of them NUL. */

enum { LONGEST = 4095 };

static size_t absolute(const char *what)
{
    size_t n = __verify_nondet_u64(what) & 0xfff;
    return n == 0 ? 1 : n;
}

/* The name of an entry that stands for none of `.` and `..`. */
static void no_dots(char *name, size_t n)
{
    if ((n == 1 || n == 2) && name[0] == '.' && name[n - 1] == '.')
        name[0] = '_';
}

/* Names with a slash before each, or a slash alone. */
static void fill(char *out, size_t n, const char *what)
{
    size_t start = 1;
    out[0] = '/';
    __verify_nondet_bytes(out + 1, n - 1, what);
    out[n] = 0;
    for (size_t i = 1; i < n; i++) {
        if (out[i] == 0 || (out[i] == '/' && (i == start || i == n - 1)))
            out[i] = '_';
        if (out[i] == '/') {
            no_dots(out + start, i - start);
            start = i + 1;
        }
    }
    no_dots(out + start, n - start);
}

/* With `out` NULL memory is allocated: `size` bytes, or what it takes when that is 0. */
static char *here(char *out, size_t size)
{
    __verify_analysis_only("getcwd");
    static vm_reasons why = {EACCES, ENOENT, ENOMEM, ENAMETOOLONG, EACCES, ENOENT, ENOENT, ENOENT};
    VM_DEFINED(size, "getcwd");
    if (size == 0 && out != NULL) {
        errno = EINVAL;
        return NULL;
    }
    if (vm_fails("getcwd", why))
        return NULL;
    size_t n = absolute("getcwd");
    if (size != 0 && n >= size) {
        errno = ERANGE;
        return NULL;
    }
    if (out == NULL && (out = malloc(size != 0 ? size : n + 1)) == NULL)
        return NULL;
    fill(out, n, "getcwd");
    return out;
}

char *getcwd(char *out, size_t size) { return here(out, size); }
char *__getcwd_chk(char *out, size_t size, size_t have)
{
    vm_chk(size, have, "getcwd is given a size past the end of the buffer");
    return here(out, size);
}
char *get_current_dir_name(void) { return here(NULL, 0); }

/* The buffer must hold PATH_MAX bytes. */
static char *resolved(const char *path, char *out)
{
    __verify_analysis_only("realpath");
    static vm_reasons why = {EACCES, ENOENT, ENOMEM, ENAMETOOLONG, ELOOP, ENOTDIR, EIO, ENOENT};
    if (path == NULL) {
        errno = EINVAL;
        return NULL;
    }
    vm_path(path);
    if (path[0] == 0) {
        errno = ENOENT;
        return NULL;
    }
    size_t n = path[0] == '/' && path[1] == 0 ? 1 : absolute("realpath");
    if (vm_fails("realpath", why)) {
        /* What was resolved before it failed. */
        if (out != NULL && __verify_nondet_u64("realpath") & 1) {
            out[0] = '/';
            __verify_nondet_bytes(out + 1, n - 1, "realpath");
            out[n] = 0;
        }
        return NULL;
    }
    if (out == NULL && (out = malloc(n + 1)) == NULL)
        return NULL;
    fill(out, n, "realpath");
    return out;
}

char *realpath(const char *path, char *out) { return resolved(path, out); }
char *__realpath_chk(const char *path, char *out, size_t have)
{
    vm_chk(LONGEST + 1, have, "realpath is given a buffer shorter than PATH_MAX");
    return resolved(path, out);
}
char *canonicalize_file_name(const char *path) { return resolved(path, NULL); }

/* Where a link leads: no NUL behind it, and cut where it does not fit. */
static ssize_t target(const char *path, char *out, size_t size)
{
    __verify_analysis_only("readlink");
    static vm_reasons why = {EINVAL, EACCES, ENOENT, ENOTDIR, ELOOP, EIO, EINVAL, EINVAL};
    vm_path(path);
    if (size == 0) {
        errno = EINVAL;
        return -1;
    }
    if (vm_fails("readlink", why))
        return -1;
    size_t n = absolute("readlink");
    if (n > size)
        n = size;
    __verify_nondet_bytes(out, n, "readlink");
    for (size_t i = 0; i < n; i++) {
        if (out[i] == 0)
            out[i] = '_';
    }
    return (ssize_t)n;
}
/* With a descriptor the empty path may be that of the link itself. */
static ssize_t target_of(const char *path, char *out, size_t size)
{
    if (path[0] == 0 && size != 0) {
        errno = ENOENT;
        return -1;
    }
    return target(path, out, size);
}
ssize_t readlink(const char *path, char *out, size_t size) { return target_of(path, out, size); }
ssize_t readlinkat(int at, const char *path, char *out, size_t size) { return target(path, out, size); }
ssize_t __readlink_chk(const char *path, char *out, size_t size, size_t have)
{
    vm_chk(size, have, "readlink is given a size past the end of the buffer");
    return target_of(path, out, size);
}
ssize_t __readlinkat_chk(int at, const char *path, char *out, size_t size, size_t have)
{
    vm_chk(size, have, "readlinkat is given a size past the end of the buffer");
    return target(path, out, size);
}

char *mkdtemp(char *text)
{
    __verify_analysis_only("mkdtemp");
    size_t n = vm_strlen(text);
    if (n < 6 || vm_strcmp(text + n - 6, "XXXXXX") != 0) {
        errno = EINVAL;
        return NULL;
    }
    if (vm_fails("mkdtemp", no_change))
        return NULL;
    for (size_t i = n - 6; i < n; i++)
        text[i] = (char)('a' + __verify_nondet_u64("mkdtemp") % 26);
    return text;
}

/* A name that no file has yet, or "" where there is none. Always its argument. */
char *mktemp(char *text)
{
    __verify_analysis_only("mktemp");
    size_t n = vm_strlen(text);
    int right = n >= 6 && vm_strcmp(text + n - 6, "XXXXXX") == 0;
    if (right)
        for (size_t i = n - 6; i < n; i++)
            text[i] = (char)('a' + __verify_nondet_u64("mktemp") % 26);
    else
        errno = EINVAL;
    if (!right || vm_fails("mktemp", no_change))
        text[0] = 0;
    return text;
}

static char *temporary_name(char *out)
{
    static const char start[] = "/tmp/file";
    __verify_analysis_only("tmpnam");
    if (vm_fails("tmpnam", no_change))
        return NULL;
    size_t n = sizeof start - 1;
    for (size_t i = 0; i < n; i++)
        out[i] = start[i];
    for (size_t i = 0; i < 6; i++)
        out[n + i] = (char)('a' + __verify_nondet_u64("tmpnam") % 26);
    out[n + 6] = 0;
    return out;
}
char *tmpnam(char *out)
{
    static char own[L_tmpnam];
    return temporary_name(out == NULL ? own : out);
}
char *tmpnam_r(char *out) { return out == NULL ? NULL : temporary_name(out); }

/* ---- Limits and sizes of file systems. -1 with errno as it was: no limit. */

static long limit(const char *what, int name)
{
    __verify_analysis_only(what);
    static vm_reasons why = {EINVAL, EACCES, ENOENT, EINVAL, EINVAL, EINVAL, EINVAL, EINVAL};
    if (vm_fails(what, why))
        return -1;
    /* -1 without an error, or no less than POSIX promises. */
    long n = (long)(__verify_nondet_u64(what) & 0x7fffffff) - 1, least = 0;
    switch (name) {
    case _PC_LINK_MAX: least = _POSIX_LINK_MAX; break;
    case _PC_MAX_CANON: case _PC_MAX_INPUT: least = _POSIX_MAX_CANON; break;
    case _PC_NAME_MAX: least = _POSIX_NAME_MAX; break;
    /* Names that the system gives fit, NUL included. */
    case _PC_PATH_MAX: least = LONGEST + 1; break;
    case _PC_PIPE_BUF: least = _POSIX_PIPE_BUF; break;
    }
    return n >= 0 && n < least ? least : n;
}
long pathconf(const char *path, int name)
{
    vm_path(path);
    return limit("pathconf", name);
}
long fpathconf(int fd, int name) { return vm_no_descriptor(fd) ? -1 : limit("fpathconf", name); }

static int sizes(const char *what, const char *path, void *out, size_t n)
{
    if (change(what, path, NULL) < 0)
        return -1;
    __verify_nondet_bytes(out, n, what);
    return 0;
}
/* Blocks have a size. */
#define SIZES(name, path, fd, parameters)                                                                             \
    int name parameters                                                                                               \
    {                                                                                                                 \
        if (vm_no_descriptor(fd))                                                                                     \
            return -1;                                                                                                \
        int r = sizes(#name, path, out, sizeof *out);                                                                 \
        if (r == 0 && out->f_bsize == 0)                                                                              \
            out->f_bsize = 4096;                                                                                      \
        if (r == 0 && out->f_frsize == 0)                                                                             \
            out->f_frsize = 4096;                                                                                     \
        return r;                                                                                                     \
    }
SIZES(statfs, path, 0, (const char *path, struct statfs *out))
SIZES(statfs64, path, 0, (const char *path, struct statfs64 *out))
SIZES(statvfs, path, 0, (const char *path, struct statvfs *out))
SIZES(statvfs64, path, 0, (const char *path, struct statvfs64 *out))
SIZES(fstatfs, NULL, fd, (int fd, struct statfs *out))
SIZES(fstatfs64, NULL, fd, (int fd, struct statfs64 *out))
SIZES(fstatvfs, NULL, fd, (int fd, struct statvfs *out))
SIZES(fstatvfs64, NULL, fd, (int fd, struct statvfs64 *out))

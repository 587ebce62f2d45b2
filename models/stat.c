/* <sys/stat.h>: mode, size and time of modification come from the system; the other members are free. In a run on
 * the machine there are no symbolic links: lstat is stat (an assumption about it). */
#include "internal.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#undef stat
#undef fstat
#undef lstat

static unsigned long free_member(const char *what)
{
    return __verify_nondet_u64(what) & 0x7fffffff;
}

/* Every file is of one of seven types. */
static int is_type(unsigned long type)
{
    return type == S_IFREG || type == S_IFDIR || type == S_IFCHR || type == S_IFLNK || type == S_IFBLK || type == S_IFIFO ||
           type == S_IFSOCK;
}

#define FILL(name, type)                                                                                              \
    static int name(const char *path, int fd, type *out)                                                              \
    {                                                                                                                 \
        unsigned long st[3];                                                                                          \
        int r = path != NULL && path[0] == 0 ? -ENOENT : __verify_sys_stat(path, fd, st);                             \
        if (r < 0)                                                                                                    \
            return (int)vm_result(r);                                                                                 \
        if (!is_type(st[0] & S_IFMT))                                                                                 \
            st[0] = (st[0] & ~(unsigned long)S_IFMT) | S_IFREG;                                                       \
        __builtin_memset(out, 0, sizeof *out);                                                                        \
        out->st_mode = (mode_t)st[0];                                                                                 \
        out->st_size = (long)st[1];                                                                                   \
        out->st_mtim.tv_sec = (long)st[2];                                                                            \
        out->st_ctim.tv_sec = (long)free_member("st_ctime");                                                          \
        out->st_atim.tv_sec = (long)free_member("st_atime");                                                          \
        out->st_dev = free_member("st_dev");                                                                          \
        out->st_ino = free_member("st_ino");                                                                          \
        out->st_nlink = 1 + (free_member("st_nlink") & 0xff);                                                         \
        out->st_uid = (uid_t)free_member("st_uid");                                                                   \
        out->st_gid = (gid_t)free_member("st_gid");                                                                   \
        out->st_blksize = 4096;                                                                                       \
        out->st_blocks = (long)((st[1] + 511) / 512);                                                                 \
        return 0;                                                                                                     \
    }

FILL(fill, struct stat)
FILL(fill64, struct stat64)

int stat(const char *path, struct stat *out) { return fill(path, -1, out); }
int lstat(const char *path, struct stat *out) { return fill(path, -1, out); }
int fstat(int fd, struct stat *out) { return fill(NULL, fd, out); }
int stat64(const char *path, struct stat64 *out) { return fill64(path, -1, out); }
int lstat64(const char *path, struct stat64 *out) { return fill64(path, -1, out); }
int fstat64(int fd, struct stat64 *out) { return fill64(NULL, fd, out); }
int __xstat(int version, const char *path, struct stat *out) { return fill(path, -1, out); }
int __lxstat(int version, const char *path, struct stat *out) { return fill(path, -1, out); }
int __fxstat(int version, int fd, struct stat *out) { return fill(NULL, fd, out); }
int __xstat64(int version, const char *path, struct stat64 *out) { return fill64(path, -1, out); }
int __lxstat64(int version, const char *path, struct stat64 *out) { return fill64(path, -1, out); }
int __fxstat64(int version, int fd, struct stat64 *out) { return fill64(NULL, fd, out); }

int fstatat(int directory, const char *path, struct stat *out, int flags)
{
    if (path[0] == 0 && flags & AT_EMPTY_PATH)
        return fill(NULL, directory, out);
    if (directory != AT_FDCWD && path[0] != '/')
        __verify_analysis_only("fstatat relative to a directory");
    return fill(path, -1, out);
}

int fstatat64(int directory, const char *path, struct stat64 *out, int flags)
{
    if (path[0] == 0 && flags & AT_EMPTY_PATH)
        return fill64(NULL, directory, out);
    if (directory != AT_FDCWD && path[0] != '/')
        __verify_analysis_only("fstatat64 relative to a directory");
    return fill64(path, -1, out);
}

static int change_or_fail(const char *path, const char *what)
{
    unsigned long st[3];
    if (path != NULL) {
        int r = __verify_sys_stat(path, -1, st);
        if (r < 0)
            return (int)vm_result(r);
    }
    if (__verify_choose_failure(what)) {
        errno = EPERM;
        return -1;
    }
    return 0;
}

/* A change of mode, owner or times has no effect that is modelled: what stat says is the system's answer. */
int chmod(const char *path, mode_t mode) { return change_or_fail(path, "chmod"); }
int fchmod(int fd, mode_t mode) { return change_or_fail(NULL, "fchmod"); }
int chown(const char *path, uid_t u, gid_t g) { return change_or_fail(path, "chown"); }
int fchown(int fd, uid_t u, gid_t g) { return change_or_fail(NULL, "fchown"); }
struct utimbuf;
int utime(const char *path, const struct utimbuf *t) { return change_or_fail(path, "utime"); }
int utimes(const char *path, const struct timeval t[2]) { return change_or_fail(path, "utimes"); }
int futimens(int fd, const struct timespec t[2]) { return change_or_fail(NULL, "futimens"); }

/* <sys/stat.h>: mode, size and second of modification come from the system; the other members are free. In a run on
 * the machine there are no symbolic links: lstat is stat (an assumption about it). */
#include "internal.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#undef stat
#undef fstat
#undef lstat

static unsigned long free_member(const char *what, unsigned long most)
{
    return __verify_nondet_u64(what) & most;
}

/* A time is any, also before 1970; only the system's answer says when the file was changed, in whole seconds. */
static struct timespec some_time(const char *what)
{
    struct timespec t;
    t.tv_sec = (long)__verify_nondet_u64(what) >> 16;
    t.tv_nsec = (long)free_member(what, 0x3fffffff);
    if (t.tv_nsec > 999999999)
        t.tv_nsec = 0;
    return t;
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
        unsigned long st[3] = {0};                                                                                    \
        int r = path != NULL && path[0] == 0   ? -ENOENT                                                              \
                : path == NULL && fd < 0       ? -EBADF                                                               \
                                               : __verify_sys_stat(path, fd, st);                                     \
        if (r < 0)                                                                                                    \
            return (int)vm_result(r);                                                                                 \
        if (!is_type(st[0] & S_IFMT))                                                                                 \
            st[0] = (st[0] & ~(unsigned long)S_IFMT) | S_IFREG;                                                       \
        __builtin_memset(out, 0, sizeof *out);                                                                        \
        out->st_mode = (mode_t)st[0];                                                                                 \
        out->st_size = (long)(st[1] & LONG_MAX);                                                                      \
        out->st_mtim = some_time("st_mtime");                                                                         \
        out->st_mtim.tv_sec = (long)st[2];                                                                            \
        out->st_ctim = some_time("st_ctime");                                                                         \
        out->st_atim = some_time("st_atime");                                                                         \
        out->st_dev = free_member("st_dev", ~0ul);                                                                    \
        out->st_ino = free_member("st_ino", ~0ul);                                                                    \
        /* None: a file that was removed and is still open. */                                                        \
        out->st_nlink = free_member("st_nlink", 0x7fffffff) ^ 1;                                                      \
        if (path != NULL && out->st_nlink == 0)                                                                       \
            out->st_nlink = 1;                                                                                        \
        out->st_uid = (uid_t)free_member("st_uid", ~0ul);                                                             \
        out->st_gid = (gid_t)free_member("st_gid", ~0ul);                                                             \
        if (S_ISCHR(out->st_mode) || S_ISBLK(out->st_mode))                                                           \
            out->st_rdev = free_member("st_rdev", ~0ul);                                                              \
        out->st_blksize = (long)(4096ul << free_member("st_blksize", 7) >> free_member("st_blksize", 3));             \
        /* Holes take no block; what is around the file may take some more. */                                        \
        out->st_blocks = (long)(((unsigned long)out->st_size + 511) / 512 ^ free_member("st_blocks", ~0ul) >> 10);    \
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

static int change_or_fail(const char *path, int fd, const char *what)
{
    static vm_reasons why = {EPERM, EACCES, EROFS, EIO, ENOMEM, EINVAL, ENOENT, EPERM};
    unsigned long st[3] = {0};
    if (path != NULL) {
        int r = path[0] == 0 ? -ENOENT : __verify_sys_stat(path, -1, st);
        if (r < 0)
            return (int)vm_result(r);
    } else if (vm_no_descriptor(fd)) {
        return -1;
    }
    return vm_fails(what, why) ? -1 : 0;
}

/* A change of mode, owner or times has no effect that is modelled: what stat says is the system's answer. */
int chmod(const char *path, mode_t mode) { return change_or_fail(path, -1, "chmod"); }
int lchmod(const char *path, mode_t mode) { return change_or_fail(path, -1, "lchmod"); }
int fchmod(int fd, mode_t mode) { return change_or_fail(NULL, fd, "fchmod"); }
int chown(const char *path, uid_t u, gid_t g) { return change_or_fail(path, -1, "chown"); }
int fchown(int fd, uid_t u, gid_t g) { return change_or_fail(NULL, fd, "fchown"); }
struct utimbuf;
int utime(const char *path, const struct utimbuf *t) { return change_or_fail(path, -1, "utime"); }
int utimes(const char *path, const struct timeval t[2]) { return change_or_fail(path, -1, "utimes"); }
int futimens(int fd, const struct timespec t[2]) { return change_or_fail(NULL, fd, "futimens"); }

/* ---- Numbers of devices, which optimised programs take apart themselves. */

unsigned gnu_dev_major(dev_t d)
{
    return (unsigned)((d & 0xfff00ull) >> 8 | (d & 0xfffff00000000000ull) >> 32);
}
unsigned gnu_dev_minor(dev_t d)
{
    return (unsigned)((d & 0xffull) | (d & 0xffffff00000ull) >> 12);
}
dev_t gnu_dev_makedev(unsigned major, unsigned minor)
{
    unsigned long long a = major, b = minor;
    return (a & 0xfff) << 8 | (a & 0xfffff000) << 32 | (b & 0xff) | (b & 0xffffff00) << 12;
}

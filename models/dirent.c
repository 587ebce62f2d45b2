/* <dirent.h>: directories. In an analysis a directory holds any number of entries with any names that an entry may have;
 * `.` and `..` come like the others, or not. What readdir returns lives until the next call for the stream, or its end. */
#include "internal.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

int __verify_lib_close(int fd); /* unistd.c */

struct __dirstream {
    int fd;
    long position;
    union {
        struct dirent small;
        struct dirent64 large;
    } entry;
};

static DIR *stream(int fd)
{
    if (__verify_choose_failure("opendir allocation")) {
        errno = ENOMEM;
        return NULL;
    }
    DIR *d = __verify_alloc(sizeof *d, _Alignof(DIR), VERIFY_FAMILY_DIR);
    d->fd = fd;
    d->position = 0;
    return d;
}

DIR *opendir(const char *path)
{
    __verify_analysis_only("opendir");
    long fd = vm_open(path, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) {
        errno = (int)-fd;
        return NULL;
    }
    DIR *d = stream((int)fd);
    if (d == NULL)
        __verify_sys_close((int)fd);
    return d;
}

DIR *fdopendir(int fd)
{
    __verify_analysis_only("fdopendir");
    static vm_reasons why = {EBADF, ENOTDIR, EBADF, ENOTDIR, EBADF, ENOTDIR, EBADF, ENOTDIR};
    return vm_no_descriptor(fd) || vm_fails("fdopendir", why) ? NULL : stream(fd);
}

int closedir(DIR *d)
{
    if (d == NULL) {
        errno = EINVAL;
        return -1;
    }
    int fd = d->fd;
    __verify_free(d, VERIFY_FAMILY_DIR);
    return (int)vm_result(__verify_lib_close(fd));
}

int dirfd(DIR *d) { return d->fd; }
void rewinddir(DIR *d) { d->position = 0; }
long telldir(DIR *d) { return d->position; }
void seekdir(DIR *d, long position) { d->position = position; }

/* A name: 1 to 255 bytes, none of them NUL or a slash. */
static size_t name(char *out)
{
    size_t n = 1 + (__verify_nondet_u64("readdir") & 0xff);
    if (n > 255)
        n = 255;
    __verify_nondet_bytes(out, n, "readdir");
    for (size_t i = 0; i < n; i++) {
        if (out[i] == 0 || out[i] == '/')
            out[i] = '_';
    }
    out[n] = 0;
    return n;
}

static const unsigned char types[8] = {DT_UNKNOWN, DT_REG, DT_DIR, DT_LNK, DT_FIFO, DT_SOCK, DT_CHR, DT_BLK};

/* At the end errno stays as it is; a failure sets it. */
static vm_reasons no_entry = {EIO, EBADF, ENOENT, EIO, EIO, EIO, EIO, EIO};

#define FILL(type, f)                                                                                                 \
    static struct type *f(DIR *d, struct type *e)                                                                     \
    {                                                                                                                 \
        unsigned long v = __verify_nondet_u64("readdir");                                                             \
        if (v & 1 || vm_fails("readdir", no_entry))                                                                   \
            return NULL;                                                                                              \
        size_t n = name(e->d_name);                                                                                   \
        e->d_ino = 1 + (__verify_nondet_u64("d_ino") & 0x3fffffff);                                                   \
        e->d_off = d->position = (long)((unsigned long)d->position + 1);                                              \
        e->d_reclen = (unsigned short)((offsetof(struct type, d_name) + n + 8) & ~7ul);                               \
        e->d_type = types[v >> 1 & 7];                                                                                \
        return e;                                                                                                     \
    }
FILL(dirent, next_small)
FILL(dirent64, next_large)

struct dirent *readdir(DIR *d) { return next_small(d, &d->entry.small); }
struct dirent64 *readdir64(DIR *d) { return next_large(d, &d->entry.large); }

int readdir_r(DIR *d, struct dirent *e, struct dirent **result)
{
    int before = errno;
    errno = 0;
    *result = next_small(d, e);
    int failure = *result == NULL ? errno : 0;
    errno = before;
    return failure;
}
int readdir64_r(DIR *d, struct dirent64 *e, struct dirent64 **result)
{
    int before = errno;
    errno = 0;
    *result = next_large(d, e);
    int failure = *result == NULL ? errno : 0;
    errno = before;
    return failure;
}

int alphasort(const struct dirent **a, const struct dirent **b) { return vm_strcmp((*a)->d_name, (*b)->d_name); }
int alphasort64(const struct dirent64 **a, const struct dirent64 **b) { return vm_strcmp((*a)->d_name, (*b)->d_name); }

/* The list and its entries are the caller's to free. They come in the order of `order`, as an insertion sort makes it. */
#define SCANDIR(scan, type, next)                                                                                     \
    int scan(const char *path, struct type ***out, int (*keep)(const struct type *),                                  \
             int (*order)(const struct type **, const struct type **))                                                \
    {                                                                                                                 \
        __verify_analysis_only("scandir");                                                                            \
        long fd = vm_open(path, O_RDONLY | O_DIRECTORY, 0);                                                 \
        if (fd < 0)                                                                                                   \
            return (int)vm_result(fd);                                                                                \
        struct __dirstream here = {.fd = (int)fd};                                                                    \
        struct type entry, *e, **list = NULL;                                                                         \
        int n = 0;                                                                                                    \
        while ((e = next(&here, &entry)) != NULL) {                                                                   \
            if (keep != NULL && keep(e) == 0)                                                                         \
                continue;                                                                                             \
            struct type **longer = realloc(list, ((size_t)n + 1) * sizeof *list);                                     \
            struct type *own = longer == NULL ? NULL : malloc(e->d_reclen);                                           \
            if (longer != NULL)                                                                                       \
                list = longer;                                                                                        \
            if (own == NULL) {                                                                                        \
                while (n > 0)                                                                                         \
                    free(list[--n]);                                                                                  \
                free(list);                                                                                           \
                __verify_sys_close((int)fd);                                                                          \
                errno = ENOMEM;                                                                                       \
                return -1;                                                                                            \
            }                                                                                                         \
            __builtin_memcpy(own, e, offsetof(struct type, d_name) + vm_strlen(e->d_name) + 1);                       \
            int at = n++;                                                                                             \
            while (order != NULL && at > 0 &&                                                                         \
                   order((const struct type **)&list[at - 1], (const struct type **)&own) > 0) {                      \
                list[at] = list[at - 1];                                                                              \
                at--;                                                                                                 \
            }                                                                                                         \
            list[at] = own;                                                                                           \
        }                                                                                                             \
        __verify_sys_close((int)fd);                                                                                  \
        if (list == NULL && (list = malloc(sizeof *list)) == NULL)                                                    \
            return -1;                                                                                                \
        *out = list;                                                                                                  \
        return n;                                                                                                     \
    }
SCANDIR(scandir, dirent, next_small)
SCANDIR(scandir64, dirent64, next_large)

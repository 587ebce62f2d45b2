/* <ftw.h>: a tree of files, of which nothing is known: the program's function is called any number of times, with any path
 * below. Folders are not opened one by one, so the limit of descriptors does not matter. */
#include "internal.h"
#include <ftw.h>
#include <sys/stat.h>

#define LONGEST 4095

/* A path, and where its last part begins; it lives until the function returns. */
static char *below(int *base)
{
    size_t n = 1 + __verify_nondet_u64("ftw") % LONGEST;
    char *s = __verify_alloc(n + 1, 1, VERIFY_FAMILY_MALLOC);
    __verify_nondet_bytes(s, n, "ftw");
    if (s[0] == 0)
        s[0] = '/';
    s[n] = 0;
    *base = (int)(__verify_nondet_u64("ftw") % vm_strlen(s));
    return s;
}

static vm_reasons no_tree = {EACCES, ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, ENOMEM, EMFILE, EIO};

/* What `kind` may be: links are followed or not, folders come before or after what is in them. */
static int kind_of(int flags, int is_new)
{
    switch (__verify_nondet_u64("ftw") % (is_new ? 5 : 4)) {
    case 0: return FTW_F;
    case 1: return flags & FTW_DEPTH ? FTW_DP : FTW_D;
    case 2: return FTW_DNR;
    case 3: return FTW_NS;
    default: return flags & FTW_PHYS ? FTW_SL : FTW_SLN;
    }
}

static mode_t type_of(int kind)
{
    static const mode_t others[8] = {S_IFREG, S_IFREG, S_IFREG, S_IFREG, S_IFCHR, S_IFBLK, S_IFIFO, S_IFSOCK};
    switch (kind) {
    case FTW_D: case FTW_DP: case FTW_DNR: return S_IFDIR;
    case FTW_SL: case FTW_SLN: return S_IFLNK;
    default: return others[__verify_nondet_u64("ftw") & 7];
    }
}

/* With FTW_ACTIONRETVAL what is not FTW_STOP says where to go on. */
static int goes_on(int result, int flags)
{
    return result == 0 || (flags & FTW_ACTIONRETVAL && result != FTW_STOP);
}

#define WALK(name, type, function)                                                                                    \
    static int name(const char *path, type visit, int flags, int is_new)                                              \
    {                                                                                                                 \
        __verify_analysis_only("ftw");                                                                                \
        VM_DEFINED(flags, "ftw");                                                                                     \
        vm_path(path);                                                                                                \
        if (path[0] == 0) {                                                                                           \
            errno = ENOENT;                                                                                           \
            return -1;                                                                                                \
        }                                                                                                             \
        while (__verify_nondet_u64("ftw") & 1) {                                                                      \
            struct function about;                                                                                    \
            struct FTW where;                                                                                         \
            __verify_nondet_bytes(&about, sizeof about, "ftw");                                                       \
            where.level = (int)(__verify_nondet_u64("ftw") & 0xffff);                                                 \
            char *at = below(&where.base);                                                                            \
            int kind = kind_of(flags, is_new);                                                                        \
            if (about.st_size < 0)                                                                                    \
                about.st_size = ~about.st_size;                                                                       \
            about.st_blocks = about.st_size / 512 + 1;                                                            \
            about.st_blksize = 4096;                                                                                  \
            about.st_mode = (about.st_mode & 07777) | type_of(kind);                                                  \
            int result = is_new ? visit.new(at, &about, kind, &where) : visit.old(at, &about, kind);                  \
            __verify_free(at, VERIFY_FAMILY_MALLOC);                                                                  \
            if (!goes_on(result, flags))                                                                              \
                return result;                                                                                        \
        }                                                                                                             \
        return vm_fails("ftw", no_tree) ? -1 : 0;                                                                     \
    }

typedef union {
    __ftw_func_t old;
    __nftw_func_t new;
} visitor;
typedef union {
    __ftw64_func_t old;
    __nftw64_func_t new;
} visitor64;
WALK(walk, visitor, stat)
WALK(walk64, visitor64, stat64)

int ftw(const char *path, __ftw_func_t f, int most) { return (void)most, walk(path, (visitor){.old = f}, 0, 0); }
int ftw64(const char *path, __ftw64_func_t f, int most) { return (void)most, walk64(path, (visitor64){.old = f}, 0, 0); }
int nftw(const char *path, __nftw_func_t f, int most, int flags)
{
    return (void)most, walk(path, (visitor){.new = f}, flags, 1);
}
int nftw64(const char *path, __nftw64_func_t f, int most, int flags)
{
    return (void)most, walk64(path, (visitor64){.new = f}, flags, 1);
}

/* <ftw.h>: a tree of files, of which nothing is known but its root: the program's function is called for the root, first or
 * last, and any number of times with any path below. Folders are not opened one by one, so the limit of descriptors does
 * not matter. */
#include "internal.h"
#include <ftw.h>
#include <sys/stat.h>

/* The path of something below the root, or of itself, and where its last part begins; it lives until the function returns. */
static char *place(const char *root, int is_root, struct FTW *where)
{
    size_t n = vm_strlen(root), more = is_root ? 0 : 1 + (__verify_nondet_u64("ftw") & 0xfff), base;
    char *s = __verify_alloc(n + more + 2, 1, VERIFY_FAMILY_MALLOC);
    __builtin_memcpy(s, root, n + 1);
    if (is_root) {
        /* Slashes at the end belong to the last part. */
        for (base = n; base > 1 && s[base - 1] == '/'; base--)
            ;
        while (base > 0 && s[base - 1] != '/')
            base--;
        where->level = 0;
    } else {
        if (s[n - 1] != '/')
            s[n++] = '/';
        __verify_nondet_bytes(s + n, more, "ftw");
        if (s[n] == 0 || s[n] == '/')
            s[n] = '_';
        s[n + more] = 0;
        /* Left out: that the text does not end before `base`, and that there is no slash behind it. */
        base = __verify_nondet_u64("ftw") % more;
        where->level = 1;
        if (base > 1) {
            s[n + base - 1] = '/';
            where->level = 2 + (int)(__verify_nondet_u64("ftw") & 0x3ff);
            __verify_assume(2 * ((size_t)where->level - 1) <= base);
        } else {
            base = 0;
        }
        base += n;
    }
    where->base = (int)base;
    return s;
}

static vm_reasons no_tree = {EACCES, ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, ENOMEM, EMFILE, EIO};

/* Links are followed or not; folders come before or after what is in them. */
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
    static int name##_one(const char *root, int is_root, type visit, int flags, int is_new)                           \
    {                                                                                                                 \
        struct function about;                                                                                        \
        struct FTW where;                                                                                             \
        __verify_nondet_bytes(&about, sizeof about, "ftw");                                                           \
        char *at = place(root, is_root, &where);                                                                      \
        int kind = kind_of(flags, is_new);                                                                            \
        if (about.st_size < 0)                                                                                        \
            about.st_size = ~about.st_size;                                                                           \
        about.st_blocks = about.st_size / 512 + 1;                                                                    \
        about.st_blksize = 4096;                                                                                      \
        about.st_mode = (about.st_mode & 07777) | type_of(kind);                                                      \
        int result = is_new ? visit.new(at, &about, kind, &where) : visit.old(at, &about, kind);                      \
        __verify_free(at, VERIFY_FAMILY_MALLOC);                                                                      \
        return result;                                                                                                \
    }                                                                                                                 \
    static int name(const char *root, type visit, int flags, int is_new)                                              \
    {                                                                                                                 \
        __verify_analysis_only("ftw");                                                                                \
        VM_DEFINED(flags, "ftw");                                                                                     \
        int result = 0;                                                                                               \
        if (root[0] == 0) {                                                                                           \
            errno = ENOENT;                                                                                           \
            return -1;                                                                                                \
        }                                                                                                             \
        if (vm_fails("ftw", no_tree))                                                                                 \
            return -1;                                                                                                \
        if (!(flags & FTW_DEPTH))                                                                                     \
            result = name##_one(root, 1, visit, flags, is_new);                                                       \
        while (goes_on(result, flags) && __verify_nondet_u64("ftw") & 1)                                              \
            result = name##_one(root, 0, visit, flags, is_new);                                                       \
        if (!goes_on(result, flags))                                                                                  \
            return result;                                                                                            \
        if (vm_fails("ftw", no_tree))                                                                                 \
            return -1;                                                                                                \
        if (flags & FTW_DEPTH)                                                                                        \
            result = name##_one(root, 1, visit, flags, is_new);                                                       \
        return goes_on(result, flags) ? 0 : result;                                                                   \
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

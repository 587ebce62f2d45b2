/* <glob.h>: which paths match is anything: any number of them, with any text behind what the pattern says literally. A folder that cannot be read is told to the
 * program's function, any number of times. */
#include "internal.h"
#include <dirent.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>

#define LONGEST 4095

/* The path of something that exists, behind `start`, of which `kept` bytes are in it; NULL: no memory. */
static char *some_path(const char *start, size_t kept)
{
    size_t n = 1 + __verify_nondet_u64("glob") % LONGEST;
    char *s = malloc(kept + n + 1);
    if (s == NULL)
        return NULL;
    __builtin_memcpy(s, start, kept);
    __verify_nondet_bytes(s + kept, n, "glob");
    if (s[kept] == 0)
        s[kept] = kept == 0 ? '/' : '_';
    s[kept + n] = 0;
    return s;
}

/* How much of a pattern is in each path that matches: up to the last slash before the first character that may stand for
 * others. Slashes in a row may become one. */
static size_t literal(const char *pattern, int flags)
{
    size_t kept = 0;
    if (pattern[0] == '~' && flags & (GLOB_TILDE | GLOB_TILDE_CHECK))
        return 0;
    for (size_t i = 0; pattern[i] != 0; i++) {
        char c = pattern[i];
        if (c == '*' || c == '?' || c == '[' || c == '\\' || c == '{')
            break;
        if (c == '/' && pattern[i + 1] == '/')
            return kept;
        if (c == '/')
            kept = i + 1;
    }
    return kept;
}

static char *copy(const char *text)
{
    size_t n = vm_strlen(text) + 1;
    char *s = malloc(n);
    if (s != NULL)
        __builtin_memcpy(s, text, n);
    return s;
}

static int is_plain(const char *pattern)
{
    for (size_t i = 0; pattern[i] != 0; i++) {
        if (pattern[i] == '*' || pattern[i] == '?' || pattern[i] == '[')
            return 0;
    }
    return 1;
}

static int folder_fails(int flags, int (*failed)(const char *, int))
{
    static vm_reasons why = {EACCES, ENOENT, ENOTDIR, EIO, ELOOP, ENAMETOOLONG, EMFILE, ENFILE};
    while (__verify_nondet_u64("glob") & 1) {
        int stop = 0;
        if (failed != NULL) {
            char *path = some_path("", 0);
            if (path == NULL)
                return GLOB_NOSPACE;
            stop = failed(path, why[__verify_nondet_u64("glob") & 7]);
            free(path);
        }
        if (stop != 0 || flags & GLOB_ERR)
            return GLOB_ABORTED;
    }
    return 0;
}

/* What an earlier call found stays in front with GLOB_APPEND. A list that was begun is the caller's to free. */
#define GLOB(glob, type)                                                                                              \
    int glob(const char *pattern, int flags, int (*failed)(const char *, int), type *g)                               \
    {                                                                                                                 \
        __verify_analysis_only("glob");                                                                               \
        VM_DEFINED(flags, "glob");                                                                                    \
        size_t own = flags & GLOB_DOOFFS ? g->gl_offs : 0;                                                            \
        if (flags & ~__GLOB_FLAGS) {                                                                                  \
            errno = EINVAL;                                                                                           \
            return -1;                                                                                                \
        }                                                                                                             \
        if (flags & GLOB_ALTDIRFUNC) {                                                                                \
            __verify_unmodelled_use("glob with functions of the program for folders", NULL);                          \
            char *path = some_path("", 0), entry[sizeof(struct stat64)] __attribute__((aligned(8)));                  \
            while (path != NULL && __verify_nondet_u64("glob") & 1) {                                                 \
                void *folder = g->gl_opendir(path);                                                                   \
                g->gl_readdir(folder);                                                                                \
                g->gl_stat(path, (void *)entry);                                                                      \
                g->gl_lstat(path, (void *)entry);                                                                     \
                g->gl_closedir(folder);                                                                               \
            }                                                                                                         \
            __verify_unmodelled("glob with functions of the program for folders");                                    \
        }                                                                                                             \
        vm_path(pattern);                                                                                             \
        if (!(flags & GLOB_APPEND)) {                                                                                 \
            g->gl_pathc = 0;                                                                                          \
            g->gl_pathv = NULL;                                                                                       \
        }                                                                                                             \
        g->gl_offs = own;                                                                                             \
        g->gl_flags = flags;                                                                                          \
        int end = folder_fails(flags, failed);                                                                        \
        if (end != 0)                                                                                                 \
            return end;                                                                                               \
        size_t n = __verify_nondet_u64("glob") & 0xffff;                                                              \
        int itself = n == 0 && (flags & GLOB_NOCHECK || (flags & GLOB_NOMAGIC && is_plain(pattern)));                 \
        if (n == 0 && !itself)                                                                                        \
            return GLOB_NOMATCH;                                                                                      \
        n += itself;                                                                                                  \
        size_t kept = literal(pattern, flags);                                                                        \
        int begun = g->gl_pathv != NULL;                                                                              \
        char **list = realloc(g->gl_pathv, (own + g->gl_pathc + n + 1) * sizeof *list);                               \
        if (list == NULL)                                                                                             \
            return GLOB_NOSPACE;                                                                                      \
        for (size_t i = 0; !begun && i < own; i++)                                                                    \
            list[i] = NULL;                                                                                           \
        g->gl_pathv = list;                                                                                           \
        list[own + g->gl_pathc] = NULL;                                                                               \
        while (n-- > 0) {                                                                                             \
            char *path = itself ? copy(pattern) : some_path(pattern, kept);                                           \
            if (path == NULL)                                                                                         \
                return GLOB_NOSPACE;                                                                                  \
            list[own + g->gl_pathc++] = path;                                                                         \
            list[own + g->gl_pathc] = NULL;                                                                           \
        }                                                                                                             \
        return 0;                                                                                                     \
    }

#define GLOBFREE(globfree, type)                                                                                      \
    void globfree(type *g)                                                                                            \
    {                                                                                                                 \
        if (g->gl_pathv == NULL)                                                                                      \
            return;                                                                                                   \
        for (size_t i = 0; i < g->gl_pathc; i++)                                                                      \
            free(g->gl_pathv[g->gl_offs + i]);                                                                        \
        free(g->gl_pathv);                                                                                            \
        g->gl_pathv = NULL;                                                                                           \
    }

GLOB(glob, glob_t)
GLOB(glob64, glob64_t)
GLOBFREE(globfree, glob_t)
GLOBFREE(globfree64, glob64_t)

/* A character that stands for others, and is not written with a backslash before it where that means anything. */
int glob_pattern_p(const char *pattern, int quote)
{
    int bracket = 0;
    for (const char *p = pattern; *p != 0; p++) {
        switch (*p) {
        case '?': case '*': return 1;
        case '\\':
            if (quote && p[1] != 0)
                p++;
            break;
        case '[': bracket = 1; break;
        case ']':
            if (bracket)
                return 1;
        }
    }
    return 0;
}

/* What a replayed program stands on instead of the machine: the primitives of the C library models, answered from the
 * recorded choices, and the allocation functions, which fail where the scan made them fail. Nothing here touches a file,
 * a socket, another process or the clock; what would do so ends the run (__verify_refuse). The tables are generated. */
#define _GNU_SOURCE
#include "verify_primitives.h"
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

#define FEATURE(x) __has_feature(x)
#if FEATURE(memory_sanitizer)
void __msan_check_mem_is_initialized(const volatile void *p, size_t n);
#endif
void __sanitizer_print_stack_trace(void);

/* ---- The recorded choices: one list for each kind and name, in the order in which they were made. */

struct table { const char *what; const long long *values; unsigned long count, next; };
struct stream { const char *what; const unsigned char *bytes; unsigned long count, next; };
extern struct table __verify_failures[], __verify_numbers[], __verify_system[];
extern struct stream __verify_streams[];

static long long take(struct table *t, const char *what, long long otherwise)
{
    for (; t->what; t++)
        if (strcmp(t->what, what) == 0)
            return t->next < t->count ? t->values[t->next++] : otherwise;
    return otherwise;
}

static void fill(unsigned char *p, unsigned long n, const char *what)
{
    struct stream *s = __verify_streams;
    while (s->what && strcmp(s->what, what) != 0)
        s++;
    for (unsigned long i = 0; i < n; i++)
        p[i] = s->what && s->next < s->count ? s->bytes[s->next++] : 0;
}

/* ---- Ends. */

static void say(const char *a, const char *b, const char *c, const char *d)
{
    const char *all[] = {a, b, c, d, "\n"};
    for (int i = 0; i < 5; i++) {
        long r = write(2, all[i], strlen(all[i]));
        (void)r;
    }
}

void __verify_refuse(const char *name)
{
    say("verify-replay: the program calls `", name, "`, which a replay does not do", "");
    _exit(97);
}

void __verify_unmodelled(const char *reason)
{
    say("verify-replay: the program needs what a replay does not do: ", reason, "", "");
    _exit(97);
}

void __verify_unmodelled_use(const char *reason, const void *p)
{
    (void)p;
    __verify_unmodelled(reason);
}

void __verify_analysis_only(const char *what) { (void)what; }

void __verify_assume(int cond)
{
    if (!cond) {
        say("verify-replay: the program leaves the execution that was found: an assumption does not hold", "", "", "");
        _exit(97);
    }
}

void __verify_fail(const char *kind, const char *message)
{
    say("ERROR: verify: ", kind, ": ", message);
    __sanitizer_print_stack_trace();
    _exit(96);
}

void __verify_exit(int status) { _exit(status); }
void __verify_abort(void) { abort(); }
void __verify_run_destructors(void) {}

/* ---- Choices. */

int __verify_choose_failure(const char *what) { return take(__verify_failures, what, 0) != 0; }
unsigned long __verify_nondet_u64(const char *what) { return (unsigned long)take(__verify_numbers, what, 0); }
void __verify_nondet_bytes(void *p, unsigned long n, const char *what) { fill(p, n, what); }
long long __verify_number(const char *what) { return take(__verify_numbers, what, 0); }

void __verify_check_defined(const void *p, unsigned long n, const char *what)
{
    (void)what;
#if FEATURE(memory_sanitizer)
    __msan_check_mem_is_initialized(p, n);
#else
    for (unsigned long i = 0; i < n; i++)
        (void)((const volatile char *)p)[i];
#endif
}

/* ---- System calls, none of which is made. */

long __verify_sys_read(int fd, void *p, unsigned long n)
{
    (void)fd;
    long long r = take(__verify_system, "read", 0);
    if (r > (long long)n)
        r = (long long)n;
    if (r > 0)
        fill(p, (unsigned long)r, "read");
    return (long)r;
}

/* What the program says is kept with the sanitizers' words. */
long __verify_sys_write(int fd, const void *p, unsigned long n)
{
    long long r = take(__verify_system, "write", (long long)n);
    if (r > (long long)n)
        r = (long long)n;
    if ((fd == 1 || fd == 2) && r > 0) {
        long done = write(1, p, (unsigned long)r);
        (void)done;
    }
    return (long)r;
}

int __verify_sys_open(const char *path, int flags, int mode)
{
    (void)strlen(path), (void)flags, (void)mode;
    return (int)take(__verify_system, "open", 3);
}
int __verify_sys_close(int fd) { return (void)fd, (int)take(__verify_system, "close", 0); }
long __verify_sys_lseek(int fd, long off, int whence)
{
    (void)fd, (void)whence;
    return (long)take(__verify_system, "lseek", off > 0 ? off : 0);
}
int __verify_sys_unlink(const char *path) { return (void)strlen(path), (int)take(__verify_system, "unlink", 0); }
int __verify_sys_rename(const char *from, const char *to)
{
    (void)strlen(from), (void)strlen(to);
    return (int)take(__verify_system, "rename", 0);
}
/* As in the scan, everything is a regular file. */
int __verify_sys_stat(const char *path, int fd, unsigned long out[3])
{
    if (path != NULL)
        (void)strlen(path);
    (void)fd;
    long long r = take(__verify_system, "stat", 0);
    if (r < 0)
        return (int)r;
    out[0] = 0100644;
    out[1] = (unsigned long)take(__verify_system, "stat size", 0);
    out[2] = (unsigned long)take(__verify_system, "stat time", 0);
    return 0;
}
long __verify_sys_time(int clock) { return (void)clock, (long)take(__verify_system, "time", 0); }

/* A variable has one value, chosen when it is first asked for. */
const char *__verify_sys_getenv(const char *name)
{
    static struct variable { struct variable *next; char *name, *value; } *known;
    for (struct variable *v = known; v; v = v->next)
        if (strcmp(v->name, name) == 0)
            return v->value;
    unsigned long length = strlen(name) + 1;
    struct variable *v = malloc(sizeof *v + length);
    if (!v)
        abort();
    v->name = (char *)(v + 1);
    memcpy(v->name, name, length);
    long long n = take(__verify_system, "getenv", 0);
    v->value = NULL;
    if (n > 0) {
        v->value = malloc((unsigned long)n);
        if (!v->value)
            abort();
        fill((unsigned char *)v->value, (unsigned long)n - 1, "getenv");
        for (long long i = 0; i + 1 < n; i++)
            if (v->value[i] == 0)
                v->value[i] = 1;
        v->value[n - 1] = 0;
    }
    v->next = known;
    known = v;
    return v->value;
}

/* ---- Memory. */

void *__verify_alloc(unsigned long size, unsigned long align, unsigned family)
{
    (void)family;
    void *p = NULL;
    if (align <= 2 * sizeof(void *))
        return malloc(size);
    return posix_memalign(&p, align, size) == 0 ? p : NULL;
}
void __verify_free(void *p, unsigned family) { (void)family, free(p); }
unsigned long __verify_object_size(const void *p) { return p ? malloc_usable_size((void *)p) : 0; }
void *__verify_input_memory(unsigned long n) { return malloc(n); }

/* The same requests fail as in the scan: those that are too large always, without a choice. */
static int no_memory(const char *what, size_t n)
{
    if (n <= UINT_MAX && !__verify_choose_failure(what))
        return 0;
    errno = ENOMEM;
    return 1;
}
static size_t product(size_t n, size_t m) { size_t r; return __builtin_mul_overflow(n, m, &r) ? SIZE_MAX : r; }

void *__wrap_malloc(size_t n) { return no_memory("malloc", n) ? NULL : malloc(n); }
void *__wrap_calloc(size_t n, size_t m) { return no_memory("calloc", product(n, m)) ? NULL : calloc(n, m); }
void *__wrap_realloc(void *p, size_t n)
{
    return (p == NULL || n != 0) && no_memory("realloc", n) ? NULL : realloc(p, n);
}
void *__wrap_reallocarray(void *p, size_t n, size_t m)
{
    size_t bytes = product(n, m);
    return (p == NULL || bytes != 0) && no_memory("reallocarray", bytes) ? NULL : realloc(p, bytes);
}
void *__wrap_aligned_alloc(size_t a, size_t n) { return no_memory("aligned_alloc", n) ? NULL : aligned_alloc(a, n); }
void *__wrap_memalign(size_t a, size_t n) { return no_memory("memalign", n) ? NULL : memalign(a, n); }
void *__wrap_valloc(size_t n) { return no_memory("valloc", n) ? NULL : valloc(n); }
int __wrap_posix_memalign(void **out, size_t a, size_t n)
{
    return no_memory("posix_memalign", n) ? ENOMEM : posix_memalign(out, a, n);
}
char *__wrap_strdup(const char *s) { return no_memory("malloc", 0) ? NULL : strdup(s); }
char *__wrap___strdup(const char *s) { return no_memory("malloc", 0) ? NULL : strdup(s); }
char *__wrap_strndup(const char *s, size_t n) { return no_memory("malloc", 0) ? NULL : strndup(s, n); }
wchar_t *__wrap_wcsdup(const wchar_t *s) { return no_memory("malloc", 0) ? NULL : wcsdup(s); }

/* ---- Before the program: it loses the right to change files, should it know a way around all of the above. */

void __verify_lib_start(int argc, char **argv);

__attribute__((constructor(101))) static void begin(int argc, char **argv)
{
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_CORE, &none);
#if defined LANDLOCK_ACCESS_FS_WRITE_FILE && defined SYS_landlock_create_ruleset
    struct landlock_ruleset_attr changes = {
        .handled_access_fs = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR
            | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR
            | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO
            | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM,
    };
    int rules = (int)syscall(SYS_landlock_create_ruleset, &changes, sizeof changes, 0);
    if (rules >= 0) {
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        syscall(SYS_landlock_restrict_self, rules, 0);
        close(rules);
    }
#endif
    __verify_lib_start(argc, argv);
}

/* What the program has written and not yet flushed. */
void __verify_lib_flush_all(void);
__attribute__((destructor(101))) static void finish(void) { __verify_lib_flush_all(); }

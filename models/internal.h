/* What the model files share. Rules (README.md): a model calls only primitives, `vm_*` (static here) and `__verify_lib_*`
 * (shared between files); never a public library name, because the program may have defined its own function of that name.
 * Exception: malloc, realloc, free, where glibc itself honours a program's own definition. */
#ifndef VERIFY_MODELS_INTERNAL_H
#define VERIFY_MODELS_INTERNAL_H

#include "verify_primitives.h"
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>

/* Requests for more memory fail always: no object has more bytes than a difference of pointers can count. Where pointers have
 * 32 bits, what is asked for is taken to be there. */
#if SIZE_MAX > UINT_MAX
#define VM_LARGEST ((size_t)PTRDIFF_MAX)
#else
#define VM_LARGEST SIZE_MAX
#endif

/* What a descriptor is (system.c). Those that are read as files are come first: programs that have no others lose nothing by
 * them, as facts know numbers by their bounds. */
enum vm_kind { VM_FILE = 1, VM_SOCKET, VM_EPOLL, VM_EVENTS, VM_TIMER, VM_SIGNALS, VM_NOTES };
/* Instead of a number of bytes, or a reason: the descriptor is read and written as a file is. */
enum { VM_NOT_SPECIAL = INT_MIN };

/* An integer argument that reaches an output. */
#define VM_DEFINED(object, what) __verify_check_defined(&(object), sizeof(object), (what))

static inline size_t vm_strlen(const char *s)
{
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

static inline size_t vm_strnlen(const char *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n] != 0)
        n++;
    return n;
}

static inline int vm_strcmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}

static inline int vm_strncmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i] || a[i] == 0)
            return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
    }
    return 0;
}

/* Character classes of the C locale, for any int. */
static inline int vm_isdigit(int c) { return c >= '0' && c <= '9'; }
static inline int vm_isupper(int c) { return c >= 'A' && c <= 'Z'; }
static inline int vm_islower(int c) { return c >= 'a' && c <= 'z'; }
static inline int vm_isalpha(int c) { return vm_isupper(c) || vm_islower(c); }
static inline int vm_isalnum(int c) { return vm_isalpha(c) || vm_isdigit(c); }
static inline int vm_isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline int vm_isxdigit(int c) { return vm_isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static inline int vm_tolower(int c) { return vm_isupper(c) ? c + ('a' - 'A') : c; }
static inline int vm_toupper(int c) { return vm_islower(c) ? c - ('a' - 'A') : c; }

/* The first and the last byte of [p, p+n) must be readable; their values do not matter. */
static inline void vm_touch(const void *p, size_t n)
{
    if (n != 0) {
        (void)((const volatile unsigned char *)p)[0];
        (void)((const volatile unsigned char *)p)[n - 1];
    }
}

/* The libc error convention: -errno becomes -1 with errno set. */
static inline long vm_result(long r)
{
    if (r < 0) {
        errno = (int)-r;
        return -1;
    }
    return r;
}

/* _FORTIFY_SOURCE: `need` bytes are written where the compiler knows that there are `have` ((size_t)-1: unknown). */
static inline void vm_chk(size_t need, size_t have, const char *what)
{
    if (need > have)
        __verify_fail("out-of-bounds-write", what);
}

/* A failure with one of eight reasons. */
typedef const int vm_reasons[8];
static inline int vm_fails(const char *what, vm_reasons list)
{
    if (!__verify_choose_failure(what))
        return 0;
    errno = list[__verify_nondet_u64(what) & 7];
    return 1;
}
#define VM_SUCCEED_OR(what, ...)                                                                                      \
    static vm_reasons why = {__VA_ARGS__};                                                                            \
    return vm_fails(what, why) ? -1 : 0

/* A path that the system is given: read to its end. */
static inline void vm_path(const char *path)
{
    (void)vm_strlen(path);
}

/* No descriptor is negative: what is asked of one fails before anything else is looked at. */
static inline int vm_no_descriptor(int fd)
{
    if (fd >= 0)
        return 0;
    errno = EBADF;
    return 1;
}

static inline long vm_read(int fd, void *p, unsigned long n) { return fd < 0 ? -EBADF : __verify_sys_read(fd, p, n); }
static inline long vm_write(int fd, const void *p, unsigned long n)
{
    return fd < 0 ? -EBADF : __verify_sys_write(fd, p, n);
}
static inline long vm_close(int fd) { return fd < 0 ? -EBADF : __verify_sys_close(fd); }
static inline long vm_lseek(int fd, long off, int whence)
{
    return fd < 0 ? -EBADF : __verify_sys_lseek(fd, off, whence);
}

/* open(2): nothing has the empty name. */
static inline int vm_open(const char *path, int flags, int mode)
{
    return path[0] == 0 ? -ENOENT : __verify_sys_open(path, flags, mode);
}

/* A new descriptor of which nothing is known but that it is open; -1 with a reason. */
static inline int vm_descriptor(const char *what, vm_reasons why)
{
    long fd = __verify_sys_open("/dev/null", 2, 0);
    if (fd < 0) {
        errno = why[__verify_nondet_u64(what) & 7];
        return -1;
    }
    return (int)fd;
}

/* `to` is a copy of the descriptor (a new one where it is negative): they have one place in their file. Where `of` is
   negative, another process has copies of all, and may move them. */
static inline long vm_copied(int of, int to) { return __verify_sys_open("", of, to); }

/* At most `most` bytes of text from outside and the NUL behind them; how much that is. */
static inline size_t vm_text(char *out, size_t most, const char *what)
{
    size_t n = __verify_nondet_u64(what) % (most + 1);
    __verify_nondet_bytes(out, n, what);
    out[n] = 0;
    return n + 1;
}

/* Parsing of numbers, shared by strto*, ato* and scanf (stdlib_number.c, stdlib_float.c). `*end` is the first character
 * not used, or `s` when there is no number. */
unsigned long long __verify_lib_strtoull(const char *s, const char **end, int base, int is_signed, int bits, int binary);
float __verify_lib_strtof(const char *s, const char **end);
double __verify_lib_strtod(const char *s, const char **end);
long double __verify_lib_strtold(const char *s, const char **end);

/* The program has asked for the time or its process number: what it makes of them is no constant. */
extern int __verify_lib_outside_numbers;

const char *__verify_lib_strerror(int e); /* NULL: unknown number */
const char *__verify_lib_error_name(int e); /* "ENOENT"; NULL: unknown number */
const char *__verify_lib_strsignal(int s);
const char *__verify_lib_getenv(const char *name);

#endif

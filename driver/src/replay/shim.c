/* What a replayed program gets instead of the world: input bytes, failures and numbers in the order in which they were
 * chosen. Linked with --wrap, so that only calls of the program's own code come here. The tables are generated. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

struct table { const char *what; const long long *values; unsigned long count, next; };
extern struct table verify_failures[], verify_numbers[], verify_system[];
extern const unsigned char verify_stream[];
extern const unsigned long verify_stream_size;
static unsigned long at;

static long long take(struct table *t, const char *what, long long otherwise)
{
    for (; t->what; t++)
        if (strcmp(t->what, what) == 0)
            return t->next < t->count ? t->values[t->next++] : otherwise;
    return otherwise;
}

static int fails(const char *what) { return take(verify_failures, what, 0) != 0; }

/* One read of the program is one read of the analysis, as far as the buffer goes. */
static long pending;
static long input(char *p, unsigned long n)
{
    if (pending == 0) {
        long long r = take(verify_system, "read", 0);
        if (r < 0) {
            errno = (int)-r;
            return -1;
        }
        pending = (long)r;
    }
    long k = pending < (long)n ? pending : (long)n;
    for (long i = 0; i < k; i++)
        p[i] = at < verify_stream_size ? (char)verify_stream[at++] : 0;
    pending -= k;
    return k;
}

static ssize_t cookie_read(void *c, char *p, size_t n) { (void)c; return input(p, n); }
static ssize_t cookie_write(void *c, const char *p, size_t n) { (void)c; (void)p; return (ssize_t)n; }
static FILE *stream(const char *mode)
{
    cookie_io_functions_t f = {cookie_read, cookie_write, NULL, NULL};
    return fopencookie(NULL, mode, f);
}

__attribute__((constructor)) static void begin(void)
{
    FILE *in = stream("r");
    if (in)
        stdin = in;
}

static int descriptor(void)
{
    long long r = take(verify_system, "open", 3);
    if (r < 0) {
        errno = (int)-r;
        return -1;
    }
    return open("/dev/null", O_RDWR);
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t m);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n) { return fails("malloc") ? (errno = ENOMEM, NULL) : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t m) { return fails("calloc") ? (errno = ENOMEM, NULL) : __real_calloc(n, m); }
void *__wrap_realloc(void *p, size_t n) { return fails("realloc") ? (errno = ENOMEM, NULL) : __real_realloc(p, n); }
char *__real_strdup(const char *s);
char *__wrap_strdup(const char *s) { return fails("strdup") ? (errno = ENOMEM, NULL) : __real_strdup(s); }
char *__real_strndup(const char *s, size_t n);
char *__wrap_strndup(const char *s, size_t n) { return fails("strndup") ? (errno = ENOMEM, NULL) : __real_strndup(s, n); }

FILE *__wrap_fopen(const char *path, const char *mode)
{
    (void)strlen(path);
    int fd = descriptor();
    if (fd < 0)
        return NULL;
    close(fd);
    return stream(mode);
}
FILE *__wrap_fopen64(const char *path, const char *mode) { return __wrap_fopen(path, mode); }
int __wrap_open(const char *path, int flags, ...) { (void)strlen(path); (void)flags; return descriptor(); }
int __wrap_open64(const char *path, int flags, ...) { (void)strlen(path); (void)flags; return descriptor(); }
ssize_t __wrap_read(int fd, void *p, size_t n) { (void)fd; return input(p, n); }
ssize_t __wrap_recv(int fd, void *p, size_t n, int flags) { (void)fd; (void)flags; return input(p, n); }
int __wrap_socket(int a, int b, int c) { (void)a; (void)b; (void)c; return descriptor(); }
int __wrap_accept(int fd, struct sockaddr *a, socklen_t *n) { (void)fd; (void)a; (void)n; return descriptor(); }
static int succeed(const char *what, int e) { return fails(what) ? (errno = e, -1) : 0; }
int __wrap_bind(int fd, const struct sockaddr *a, socklen_t n) { (void)fd; (void)a; (void)n; return succeed("bind", EADDRINUSE); }
int __wrap_connect(int fd, const struct sockaddr *a, socklen_t n) { (void)fd; (void)a; (void)n; return succeed("connect", ECONNREFUSED); }
int __wrap_listen(int fd, int n) { (void)fd; (void)n; return succeed("listen", EADDRINUSE); }
ssize_t __wrap_send(int fd, const void *p, size_t n, int flags) { (void)fd; (void)p; (void)flags; return (ssize_t)n; }

int __real_rand(void);
int __wrap_rand(void) { return (int)(take(verify_numbers, "rand", __real_rand()) & RAND_MAX); }
long __real_random(void);
long __wrap_random(void) { return (long)(take(verify_numbers, "rand", __real_random()) & RAND_MAX); }
time_t __real_time(time_t *t);
time_t __wrap_time(time_t *out)
{
    time_t t = (time_t)(take(verify_system, "time", 0) / 1000000000);
    if (out)
        *out = t;
    return t;
}
char *__wrap_getenv(const char *name)
{
    static char *known[64][2];
    static int count;
    for (int i = 0; i < count; i++)
        if (strcmp(known[i][0], name) == 0)
            return known[i][1];
    long long n = take(verify_system, "getenv", 0);
    char *value = NULL;
    if (n > 0) {
        value = __real_malloc((size_t)n);
        for (long long i = 0; i + 1 < n; i++) {
            unsigned char b = at < verify_stream_size ? verify_stream[at++] : 1;
            value[i] = (char)(b ? b : 1);
        }
        value[n - 1] = 0;
    }
    if (count < 64) {
        known[count][0] = (char *)name;
        known[count++][1] = value;
    }
    return value;
}

long long verify_number(const char *what) { return take(verify_numbers, what, 0); }

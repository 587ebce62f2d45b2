/* The primitives over the host's libc, so that the models can run natively beside glibc. Sizes of heap objects come from
 * AddressSanitizer, which is therefore needed; definedness is not tracked here. */
#define _GNU_SOURCE
#include "../verify_primitives.h"
#include "native.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void *native_memcpy(void *d, const void *s, size_t n) { return n ? memcpy(d, s, n) : d; }
void *native_memmove(void *d, const void *s, size_t n) { return n ? memmove(d, s, n) : d; }
void *native_memset(void *d, int c, size_t n) { return n ? memset(d, c, n) : d; }

void *__verify_alloc(unsigned long size, unsigned long align, unsigned family)
{
    void *p = NULL;
    if (posix_memalign(&p, align < sizeof(void *) ? sizeof(void *) : align, size) != 0)
        abort();
    memset(p, 0xa5, size);
    return p;
}

void __verify_free(void *p, unsigned family) { free(p); }
unsigned long __verify_object_size(const void *p) { return malloc_usable_size((void *)p); }

int native_failures;
int __verify_choose_failure(const char *what) { return native_failures; }
unsigned long __verify_nondet_u64(const char *what) { return (unsigned long)random() << 32 ^ (unsigned long)random(); }
void __verify_nondet_bytes(void *p, unsigned long n, const char *what)
{
    for (unsigned long i = 0; i < n; i++)
        ((unsigned char *)p)[i] = (unsigned char)random();
}
void __verify_assume(int cond)
{
    if (!cond)
        abort();
}

jmp_buf *native_on_end;
char native_end[256];

static void end(const char *kind, const char *message)
{
    snprintf(native_end, sizeof native_end, "%s: %s", kind, message);
    if (native_on_end != NULL)
        longjmp(*native_on_end, 1);
    fprintf(stderr, "a model ended the run: %s\n", native_end);
    _exit(99);
}

void __verify_fail(const char *kind, const char *message) { end(kind, message); __builtin_unreachable(); }
void __verify_unmodelled(const char *reason) { end("unmodelled", reason); __builtin_unreachable(); }
void __verify_unmodelled_use(const char *reason, const void *p) { (void)p; end("unmodelled", reason); }
void __verify_analysis_only(const char *what) { (void)what; }
void __verify_check_defined(const void *p, unsigned long n, const char *what)
{
    for (unsigned long i = 0; i < n; i++)
        (void)((const volatile char *)p)[i];
}
void __verify_exit(int status)
{
    if (native_on_end != NULL)
        end("exit", "");
    _exit(status);
}
void __verify_abort(void) { end("abort", ""); __builtin_unreachable(); }
void __verify_run_destructors(void) {}

static long result(long r) { return r < 0 ? -errno : r; }
long __verify_sys_read(int fd, void *buf, unsigned long n) { return result(read(fd, buf, n)); }
long __verify_sys_write(int fd, const void *buf, unsigned long n) { return result(write(fd, buf, n)); }
int __verify_sys_open(const char *path, int flags, int mode) { return (int)result(open(path, flags, mode)); }
int __verify_sys_close(int fd) { return (int)result(close(fd)); }
long __verify_sys_lseek(int fd, long off, int whence) { return result(lseek(fd, off, whence)); }
int __verify_sys_unlink(const char *path) { return (int)result(unlink(path)); }
int __verify_sys_rename(const char *from, const char *to) { return (int)result(rename(from, to)); }
int __verify_sys_stat(const char *path, int fd, unsigned long out[3])
{
    struct stat st;
    if ((path != NULL ? stat(path, &st) : fstat(fd, &st)) != 0)
        return -errno;
    out[0] = st.st_mode;
    out[1] = (unsigned long)st.st_size;
    out[2] = (unsigned long)st.st_mtime;
    return 0;
}

long __verify_sys_time(int clock)
{
    struct timespec t;
    clock_gettime(clock == 0 ? CLOCK_REALTIME : clock == 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

const char *__verify_sys_getenv(const char *name) { return getenv(name); }

/* The floating-point builtins. */
double native_sqrt(double x) { return sqrt(x); }
float native_sqrtf(float x) { return sqrtf(x); }
long double native_sqrtl(long double x) { return sqrtl(x); }
double native_fabs(double x) { return fabs(x); }
float native_fabsf(float x) { return fabsf(x); }
long double native_fabsl(long double x) { return fabsl(x); }
double native_floor(double x) { return floor(x); }
float native_floorf(float x) { return floorf(x); }
long double native_floorl(long double x) { return floorl(x); }
double native_ceil(double x) { return ceil(x); }
float native_ceilf(float x) { return ceilf(x); }
long double native_ceill(long double x) { return ceill(x); }
double native_trunc(double x) { return trunc(x); }
float native_truncf(float x) { return truncf(x); }
long double native_truncl(long double x) { return truncl(x); }
double native_round(double x) { return round(x); }
float native_roundf(float x) { return roundf(x); }
long double native_roundl(long double x) { return roundl(x); }
double native_rint(double x) { return rint(x); }
float native_rintf(float x) { return rintf(x); }
long double native_rintl(long double x) { return rintl(x); }
double native_nearbyint(double x) { return nearbyint(x); }
float native_nearbyintf(float x) { return nearbyintf(x); }
long double native_nearbyintl(long double x) { return nearbyintl(x); }
double native_copysign(double x, double y) { return copysign(x, y); }
float native_copysignf(float x, float y) { return copysignf(x, y); }
long double native_copysignl(long double x, long double y) { return copysignl(x, y); }
double native_fmin(double x, double y) { return fmin(x, y); }
float native_fminf(float x, float y) { return fminf(x, y); }
long double native_fminl(long double x, long double y) { return fminl(x, y); }
double native_fmax(double x, double y) { return fmax(x, y); }
float native_fmaxf(float x, float y) { return fmaxf(x, y); }
long double native_fmaxl(long double x, long double y) { return fmaxl(x, y); }
double native_fma(double x, double y, double z) { return fma(x, y, z); }
float native_fmaf(float x, float y, float z) { return fmaf(x, y, z); }
long double native_fmal(long double x, long double y, long double z) { return fmal(x, y, z); }

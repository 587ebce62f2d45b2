/* The _FORTIFY_SOURCE forms of <string.h>: `have` is what the compiler knows about the destination; a write beyond it is
 * an error also where the object goes on (as in glibc, which ends the process there). */
#include "internal.h"

void *__memcpy_chk(void *dst, const void *src, size_t n, size_t have)
{
    vm_chk(n, have, "memcpy writes past the end of the destination");
    __builtin_memcpy(dst, src, n);
    return dst;
}

void *__mempcpy_chk(void *dst, const void *src, size_t n, size_t have)
{
    vm_chk(n, have, "mempcpy writes past the end of the destination");
    __builtin_memcpy(dst, src, n);
    return (char *)dst + n;
}

void *__memmove_chk(void *dst, const void *src, size_t n, size_t have)
{
    vm_chk(n, have, "memmove writes past the end of the destination");
    __builtin_memmove(dst, src, n);
    return dst;
}

void *__memset_chk(void *dst, int c, size_t n, size_t have)
{
    vm_chk(n, have, "memset writes past the end of the destination");
    __builtin_memset(dst, c, n);
    return dst;
}

void __explicit_bzero_chk(void *dst, size_t n, size_t have)
{
    vm_chk(n, have, "explicit_bzero writes past the end of the destination");
    __builtin_memset(dst, 0, n);
}

char *__strcpy_chk(char *dst, const char *src, size_t have)
{
    size_t n = vm_strlen(src) + 1;
    vm_chk(n, have, "strcpy writes past the end of the destination");
    __builtin_memcpy(dst, src, n);
    return dst;
}

char *__stpcpy_chk(char *dst, const char *src, size_t have)
{
    size_t n = vm_strlen(src) + 1;
    vm_chk(n, have, "stpcpy writes past the end of the destination");
    __builtin_memcpy(dst, src, n);
    return dst + n - 1;
}

char *__strncpy_chk(char *dst, const char *src, size_t max, size_t have)
{
    vm_chk(max, have, "strncpy writes past the end of the destination");
    size_t n = vm_strnlen(src, max);
    __builtin_memcpy(dst, src, n);
    __builtin_memset(dst + n, 0, max - n);
    return dst;
}

char *__stpncpy_chk(char *dst, const char *src, size_t max, size_t have)
{
    vm_chk(max, have, "stpncpy writes past the end of the destination");
    size_t n = vm_strnlen(src, max);
    __builtin_memcpy(dst, src, n);
    __builtin_memset(dst + n, 0, max - n);
    return dst + n;
}

char *__strcat_chk(char *dst, const char *src, size_t have)
{
    size_t at = vm_strlen(dst), n = vm_strlen(src) + 1;
    vm_chk(at + n, have, "strcat writes past the end of the destination");
    __builtin_memcpy(dst + at, src, n);
    return dst;
}

char *__strncat_chk(char *dst, const char *src, size_t max, size_t have)
{
    size_t at = vm_strlen(dst), n = vm_strnlen(src, max);
    vm_chk(at + n + 1, have, "strncat writes past the end of the destination");
    __builtin_memcpy(dst + at, src, n);
    dst[at + n] = 0;
    return dst;
}

size_t __strlcpy_chk(char *dst, const char *src, size_t size, size_t have)
{
    vm_chk(size, have, "strlcpy is given a size past the end of the destination");
    size_t n = vm_strlen(src);
    if (size > 0) {
        size_t copied = n < size - 1 ? n : size - 1;
        __builtin_memcpy(dst, src, copied);
        dst[copied] = 0;
    }
    return n;
}

size_t __strlcat_chk(char *dst, const char *src, size_t size, size_t have)
{
    vm_chk(size, have, "strlcat is given a size past the end of the destination");
    size_t at = vm_strnlen(dst, size), n = vm_strlen(src);
    if (at < size) {
        size_t room = size - at - 1, copied = n < room ? n : room;
        __builtin_memcpy(dst + at, src, copied);
        dst[at + copied] = 0;
    }
    return at + n;
}

void *__memccpy_chk(void *dst, const void *src, int c, size_t n, size_t have)
{
    unsigned char *d = dst;
    const unsigned char *s = src;
    for (size_t i = 0; i < n; i++) {
        vm_chk(i + 1, have, "memccpy writes past the end of the destination");
        d[i] = s[i];
        if (s[i] == (unsigned char)c)
            return d + i + 1;
    }
    return NULL;
}

/* FD_SET and its relatives: the word of a descriptor that is in an fd_set. */
long __fdelt_chk(long d)
{
    if (d < 0 || d >= 1024)
        __verify_fail("out-of-bounds-write", "a file descriptor is not below FD_SETSIZE");
    return d / (8 * (long)sizeof(long));
}

void __chk_fail(void)
{
    __verify_fail("out-of-bounds-write", "buffer overflow detected");
}

void __stack_chk_fail(void)
{
    __verify_fail("out-of-bounds-write", "stack smashing detected");
}

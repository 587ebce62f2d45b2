/* <string.h>, the mem* and str* functions. Comparison results are byte differences, as glibc on x86-64 returns them. */
#include "internal.h"
#include <string.h>
#include <sys/types.h>
#undef basename

void *memcpy(void *dst, const void *src, size_t n)
{
    __builtin_memcpy(dst, src, n);
    return dst;
}

void *mempcpy(void *dst, const void *src, size_t n)
{
    __builtin_memcpy(dst, src, n);
    return (char *)dst + n;
}

void *__mempcpy(void *dst, const void *src, size_t n)
{
    __builtin_memcpy(dst, src, n);
    return (char *)dst + n;
}

void *memmove(void *dst, const void *src, size_t n)
{
    __builtin_memmove(dst, src, n);
    return dst;
}

void *memset(void *dst, int c, size_t n)
{
    __builtin_memset(dst, c, n);
    return dst;
}

void explicit_bzero(void *dst, size_t n)
{
    __builtin_memset(dst, 0, n);
}

/* C asks for n valid bytes on both sides, also when an early byte differs. */
int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    vm_touch(a, n);
    vm_touch(b, n);
    for (size_t i = 0; i < n; i++) {
        if (x[i] != y[i])
            return (int)x[i] - (int)y[i];
    }
    return 0;
}

/* memchr reads one character after the other and stops at the first match (C17 7.24.5.1). */
void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    }
    return NULL;
}

void *rawmemchr(const void *s, int c)
{
    const unsigned char *p = s;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}

void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    while (n > 0) {
        n--;
        if (p[n] == (unsigned char)c)
            return (void *)(p + n);
    }
    return NULL;
}

void *memccpy(void *dst, const void *src, int c, size_t n)
{
    unsigned char *d = dst;
    const unsigned char *s = src;
    for (size_t i = 0; i < n; i++) {
        d[i] = s[i];
        if (s[i] == (unsigned char)c)
            return d + i + 1;
    }
    return NULL;
}

void *memmem(const void *haystack, size_t hn, const void *needle, size_t nn)
{
    const unsigned char *h = haystack, *x = needle;
    if (nn == 0)
        return (void *)h;
    for (size_t i = 0; nn <= hn && i <= hn - nn; i++) {
        size_t j = 0;
        while (j < nn && h[i + j] == x[j])
            j++;
        if (j == nn)
            return (void *)(h + i);
    }
    return NULL;
}

void *memfrob(void *s, size_t n)
{
    unsigned char *p = s;
    for (size_t i = 0; i < n; i++)
        p[i] ^= 42;
    return s;
}

void swab(const void *from, void *to, ssize_t n)
{
    const char *f = from;
    char *t = to;
    for (ssize_t i = 0; i + 1 < n; i += 2) {
        char first = f[i];
        t[i] = f[i + 1];
        t[i + 1] = first;
    }
}

size_t strlen(const char *s)
{
    return vm_strlen(s);
}

size_t strnlen(const char *s, size_t max)
{
    return vm_strnlen(s, max);
}

char *strcpy(char *dst, const char *src)
{
    __builtin_memcpy(dst, src, vm_strlen(src) + 1);
    return dst;
}

char *stpcpy(char *dst, const char *src)
{
    size_t n = vm_strlen(src);
    __builtin_memcpy(dst, src, n + 1);
    return dst + n;
}

char *__stpcpy(char *dst, const char *src)
{
    size_t n = vm_strlen(src);
    __builtin_memcpy(dst, src, n + 1);
    return dst + n;
}

char *strncpy(char *dst, const char *src, size_t max)
{
    size_t n = vm_strnlen(src, max);
    __builtin_memcpy(dst, src, n);
    __builtin_memset(dst + n, 0, max - n);
    return dst;
}

char *stpncpy(char *dst, const char *src, size_t max)
{
    size_t n = vm_strnlen(src, max);
    __builtin_memcpy(dst, src, n);
    __builtin_memset(dst + n, 0, max - n);
    return dst + n;
}

char *strcat(char *dst, const char *src)
{
    size_t at = vm_strlen(dst);
    __builtin_memcpy(dst + at, src, vm_strlen(src) + 1);
    return dst;
}

char *strncat(char *dst, const char *src, size_t max)
{
    size_t at = vm_strlen(dst), n = vm_strnlen(src, max);
    __builtin_memcpy(dst + at, src, n);
    dst[at + n] = 0;
    return dst;
}

size_t strlcpy(char *dst, const char *src, size_t size)
{
    size_t n = vm_strlen(src);
    if (size > 0) {
        size_t copied = n < size - 1 ? n : size - 1;
        __builtin_memcpy(dst, src, copied);
        dst[copied] = 0;
    }
    return n;
}

size_t strlcat(char *dst, const char *src, size_t size)
{
    size_t at = vm_strnlen(dst, size), n = vm_strlen(src);
    if (at < size) {
        size_t room = size - at - 1, copied = n < room ? n : room;
        __builtin_memcpy(dst + at, src, copied);
        dst[at + copied] = 0;
    }
    return at + n;
}

int strcmp(const char *a, const char *b)
{
    return vm_strcmp(a, b);
}

int strncmp(const char *a, const char *b, size_t n)
{
    return vm_strncmp(a, b, n);
}

int strcoll(const char *a, const char *b)
{
    return vm_strcmp(a, b);
}

/* The C locale: the transformed string is the string. */
size_t strxfrm(char *dst, const char *src, size_t size)
{
    size_t n = vm_strlen(src);
    if (size > 0) {
        size_t copied = n + 1 < size ? n + 1 : size;
        __builtin_memcpy(dst, src, copied);
    }
    return n;
}

char *strchr(const char *s, int c)
{
    for (;; s++) {
        if (*s == (char)c)
            return (char *)s;
        if (*s == 0)
            return NULL;
    }
}

char *index(const char *s, int c)
{
    for (;; s++) {
        if (*s == (char)c)
            return (char *)s;
        if (*s == 0)
            return NULL;
    }
}

char *strchrnul(const char *s, int c)
{
    while (*s != 0 && *s != (char)c)
        s++;
    return (char *)s;
}

static char *last_char(const char *s, int c)
{
    const char *found = NULL;
    for (;; s++) {
        if (*s == (char)c)
            found = s;
        if (*s == 0)
            return (char *)found;
    }
}

char *strrchr(const char *s, int c)
{
    return last_char(s, c);
}

char *rindex(const char *s, int c)
{
    return last_char(s, c);
}

static int in_set(const char *set, char c)
{
    for (; *set != 0; set++) {
        if (*set == c)
            return 1;
    }
    return 0;
}

static size_t span(const char *s, const char *set, int wanted)
{
    size_t n = 0;
    while (s[n] != 0 && in_set(set, s[n]) == wanted)
        n++;
    return n;
}

size_t strspn(const char *s, const char *accept)
{
    return span(s, accept, 1);
}

size_t strcspn(const char *s, const char *reject)
{
    return span(s, reject, 0);
}

char *strpbrk(const char *s, const char *accept)
{
    s += span(s, accept, 0);
    return *s != 0 ? (char *)s : NULL;
}

char *strstr(const char *haystack, const char *needle)
{
    for (;; haystack++) {
        size_t j = 0;
        while (needle[j] != 0 && haystack[j] == needle[j])
            j++;
        if (needle[j] == 0)
            return (char *)haystack;
        if (*haystack == 0)
            return NULL;
    }
}

char *strcasestr(const char *haystack, const char *needle)
{
    for (;; haystack++) {
        size_t j = 0;
        while (needle[j] != 0 && vm_tolower((unsigned char)haystack[j]) == vm_tolower((unsigned char)needle[j]))
            j++;
        if (needle[j] == 0)
            return (char *)haystack;
        if (*haystack == 0)
            return NULL;
    }
}

static char *next_token(char *s, const char *delimiters, char **rest)
{
    if (s == NULL)
        s = *rest;
    s += span(s, delimiters, 1);
    if (*s == 0) {
        *rest = s;
        return NULL;
    }
    char *end = s + span(s, delimiters, 0);
    if (*end != 0)
        *end++ = 0;
    *rest = end;
    return s;
}

char *strtok_r(char *s, const char *delimiters, char **rest)
{
    return next_token(s, delimiters, rest);
}

char *__strtok_r(char *s, const char *delimiters, char **rest)
{
    return next_token(s, delimiters, rest);
}

char *strtok(char *s, const char *delimiters)
{
    static char *rest;
    return next_token(s, delimiters, &rest);
}

char *strsep(char **at, const char *delimiters)
{
    char *s = *at;
    if (s == NULL)
        return NULL;
    char *end = s + span(s, delimiters, 0);
    if (*end != 0) {
        *end = 0;
        *at = end + 1;
    } else {
        *at = NULL;
    }
    return s;
}

/* The order of glibc: digits compare as numbers, leading zeros as a fraction. */
int strverscmp(const char *a, const char *b)
{
    size_t i = 0, digits = 0;
    int zeros = 1;
    for (; a[i] == b[i]; i++) {
        if (a[i] == 0)
            return 0;
        if (!vm_isdigit((unsigned char)a[i])) {
            digits = i + 1;
            zeros = 1;
        } else if (a[i] != '0') {
            zeros = 0;
        }
    }
    if (a[digits] >= '1' && a[digits] <= '9' && b[digits] >= '1' && b[digits] <= '9') {
        /* Two numbers without leading zeros: the longer one is the greater. */
        size_t j = i;
        for (; vm_isdigit((unsigned char)a[j]); j++) {
            if (!vm_isdigit((unsigned char)b[j]))
                return 1;
        }
        if (vm_isdigit((unsigned char)b[j]))
            return -1;
    } else if (zeros && digits < i && (vm_isdigit((unsigned char)a[i]) || vm_isdigit((unsigned char)b[i]))) {
        /* A common prefix of zeros only: a digit now makes the number a longer fraction, which comes first. */
        return (int)(unsigned char)(a[i] - '0') - (int)(unsigned char)(b[i] - '0');
    }
    return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}

char *strdup(const char *s)
{
    extern void *malloc(size_t);
    size_t n = vm_strlen(s) + 1;
    char *copy = malloc(n);
    if (copy != NULL)
        __builtin_memcpy(copy, s, n);
    return copy;
}

char *__strdup(const char *s)
{
    extern void *malloc(size_t);
    size_t n = vm_strlen(s) + 1;
    char *copy = malloc(n);
    if (copy != NULL)
        __builtin_memcpy(copy, s, n);
    return copy;
}

char *strndup(const char *s, size_t max)
{
    extern void *malloc(size_t);
    size_t n = vm_strnlen(s, max);
    char *copy = malloc(n + 1);
    if (copy != NULL) {
        __builtin_memcpy(copy, s, n);
        copy[n] = 0;
    }
    return copy;
}

/* GNU basename: the part after the last slash, also when it is empty. */
char *basename(const char *path)
{
    const char *slash = last_char(path, '/');
    return (char *)(slash != NULL ? slash + 1 : path);
}

/* <strings.h>. */
#include "internal.h"
#include <strings.h>
#include <locale.h>

static int compare_no_case(const char *a, const char *b, size_t max)
{
    for (size_t i = 0; i < max; i++) {
        int x = vm_tolower((unsigned char)a[i]), y = vm_tolower((unsigned char)b[i]);
        if (x != y || x == 0)
            return x - y;
    }
    return 0;
}

int strcasecmp(const char *a, const char *b)
{
    return compare_no_case(a, b, SIZE_MAX);
}

int strncasecmp(const char *a, const char *b, size_t n)
{
    return compare_no_case(a, b, n);
}

/* No locale but C is modelled: newlocale (locale.c) gives no other. */
int strcasecmp_l(const char *a, const char *b, locale_t l)
{
    return compare_no_case(a, b, SIZE_MAX);
}

int strncasecmp_l(const char *a, const char *b, size_t n, locale_t l)
{
    return compare_no_case(a, b, n);
}

void bzero(void *dst, size_t n)
{
    __builtin_memset(dst, 0, n);
}

void bcopy(const void *src, void *dst, size_t n)
{
    __builtin_memmove(dst, src, n);
}

int bcmp(const void *a, const void *b, size_t n)
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

static int first_set(unsigned long long x)
{
    if (x == 0)
        return 0;
    int n = 1;
    for (; (x & 1) == 0; x >>= 1)
        n++;
    return n;
}

int ffs(int x)
{
    return first_set((unsigned)x);
}

int ffsl(long x)
{
    return first_set((unsigned long)x);
}

int ffsll(long long x)
{
    return first_set((unsigned long long)x);
}

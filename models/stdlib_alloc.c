/* The heap: malloc and its relatives. Each request first asks the script whether it fails. */
#include "internal.h"
#include <stdlib.h>
#include <malloc.h>

#define MALLOC_ALIGNMENT (2 * sizeof(void *))

static void *allocate(size_t size, size_t align, const char *what)
{
    if (size > VM_LARGEST || __verify_choose_failure(what)) {
        errno = ENOMEM;
        return NULL;
    }
    return __verify_alloc(size, align, VERIFY_FAMILY_MALLOC);
}

void *malloc(size_t size)
{
    return allocate(size, MALLOC_ALIGNMENT, "malloc");
}

static void *zeroed(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = allocate(bytes, MALLOC_ALIGNMENT, "calloc");
    if (p != NULL)
        __builtin_memset(p, 0, bytes);
    return p;
}

void *calloc(size_t count, size_t size)
{
    return zeroed(count, size);
}

/* glibc: a null pointer means malloc; size 0 frees and returns null. The object always moves: a program that keeps the
 * old pointer is wrong also where realloc happens to grow in place. */
static void *resize(void *p, size_t size, const char *what)
{
    if (p == NULL)
        return allocate(size, MALLOC_ALIGNMENT, what);
    size_t old = __verify_object_size(p);
    if (size == 0) {
        __verify_free(p, VERIFY_FAMILY_MALLOC);
        return NULL;
    }
    void *q = allocate(size, MALLOC_ALIGNMENT, what);
    if (q == NULL)
        return NULL;
    __builtin_memcpy(q, p, old < size ? old : size);
    __verify_free(p, VERIFY_FAMILY_MALLOC);
    return q;
}

void *realloc(void *p, size_t size)
{
    return resize(p, size, "realloc");
}

void *reallocarray(void *p, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return resize(p, bytes, "reallocarray");
}

void free(void *p)
{
    if (p != NULL)
        __verify_free(p, VERIFY_FAMILY_MALLOC);
}

void cfree(void *p)
{
    if (p != NULL)
        __verify_free(p, VERIFY_FAMILY_MALLOC);
}

static int is_power_of_two(size_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

/* glibc 2.36 rounds an alignment that is no power of two up; the standard calls it invalid. */
static void *aligned(size_t align, size_t size, const char *what)
{
    size_t a = MALLOC_ALIGNMENT;
    if (align > SIZE_MAX / 2 + 1) {
        errno = EINVAL;
        return NULL;
    }
    while (a < align)
        a <<= 1;
    return allocate(size, a, what);
}

void *aligned_alloc(size_t align, size_t size)
{
    if (!is_power_of_two(align))
        __verify_fail("invalid-argument", "the alignment given to aligned_alloc is not a power of two");
    return aligned(align, size, "aligned_alloc");
}

void *memalign(size_t align, size_t size)
{
    return aligned(align, size, "memalign");
}

int posix_memalign(void **out, size_t align, size_t size)
{
    if (!is_power_of_two(align) || align % sizeof(void *) != 0)
        return EINVAL;
    int saved = errno;
    void *p = aligned(align, size, "posix_memalign");
    errno = saved;
    if (p == NULL)
        return ENOMEM;
    *out = p;
    return 0;
}

#define PAGE 4096

void *valloc(size_t size)
{
    return allocate(size, PAGE, "valloc");
}

void *pvalloc(size_t size)
{
    size_t whole = size > VM_LARGEST - PAGE ? size : (size + PAGE - 1) / PAGE * PAGE;
    return allocate(whole, PAGE, "pvalloc");
}

/* What the program asked for, or more, which it may use then: that is no execution which runs come to by chance, as those of
   programs that ask after every allocation would all end here. */
size_t malloc_usable_size(void *p)
{
    if (p != NULL && __verify_nondet_u64("malloc_usable_size") == 0x9e3779b97f4a7c15)
        __verify_unmodelled("malloc_usable_size of more than was asked for");
    return __verify_object_size(p);
}

int malloc_trim(size_t pad)
{
    return 0;
}

int mallopt(int parameter, int value)
{
    return 1;
}

/* <mcheck.h>: a log of allocations, which the program does not see. */
void mtrace(void) {}
void muntrace(void) {}

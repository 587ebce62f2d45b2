/* The names by which verification benchmarks speak to a verifier (SV-COMP, CBMC). */
#include "internal.h"

#define NONDET(name, type)                                                                                            \
    type __VERIFIER_nondet_##name(void)                                                                               \
    {                                                                                                                 \
        return (type)__verify_nondet_u64("__VERIFIER_nondet_" #name);                                                 \
    }

_Bool __VERIFIER_nondet_bool(void)
{
    return __verify_nondet_u64("__VERIFIER_nondet_bool") & 1;
}

_Bool __VERIFIER_nondet__Bool(void)
{
    return __verify_nondet_u64("__VERIFIER_nondet__Bool") & 1;
}

NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(unsigned_int, unsigned)
NONDET(u8, unsigned char)
NONDET(u16, unsigned short)
NONDET(u32, unsigned)
NONDET(U8, unsigned char)
NONDET(U16, unsigned short)
NONDET(U32, unsigned)
NONDET(unsigned_char, unsigned char)
NONDET(size_t, size_t)
NONDET(loff_t, long)

/* Every 64-bit value also where unsigned long has 32 bits. */
#define NONDET64(name, type)                                                                                          \
    type __VERIFIER_nondet_##name(void)                                                                               \
    {                                                                                                                 \
        type v;                                                                                                       \
        __verify_nondet_bytes(&v, sizeof v, "__VERIFIER_nondet_" #name);                                              \
        return v;                                                                                                     \
    }

NONDET64(longlong, long long)
NONDET64(ulonglong, unsigned long long)
NONDET64(u64, unsigned long long)
NONDET64(U64, unsigned long long)
#ifdef __SIZEOF_INT128__
NONDET64(int128, __int128)
NONDET64(uint128, unsigned __int128)
#endif
NONDET64(float, float)
NONDET64(double, double)

/* Null, or an address that no object has. */
void *__VERIFIER_nondet_pointer(void)
{
    return (void *)__verify_nondet_u64("__VERIFIER_nondet_pointer");
}

void *__VERIFIER_nondet_pchar(void)
{
    return (void *)__verify_nondet_u64("__VERIFIER_nondet_pchar");
}

void __VERIFIER_nondet_memory(void *p, size_t n)
{
    __verify_nondet_bytes(p, n, "__VERIFIER_nondet_memory");
}

void __VERIFIER_assume(int condition)
{
    __verify_assume(condition);
}

void __VERIFIER_assert(int condition)
{
    if (!condition)
        __verify_fail("assertion", "__VERIFIER_assert");
}

void __VERIFIER_error(void)
{
    __verify_fail("error-call", "__VERIFIER_error is called");
}

void reach_error(void)
{
    __verify_fail("error-call", "reach_error is called");
}

/* No interleaving is explored: an atomic section is just its statements. */
void __VERIFIER_atomic_begin(void)
{
}

void __VERIFIER_atomic_end(void)
{
}

void __CPROVER_assume(int condition)
{
    __verify_assume(condition);
}

void __CPROVER_assert(int condition, const char *text)
{
    if (!condition)
        __verify_fail("assertion", text);
}

void __CPROVER_precondition(int condition, const char *text)
{
    if (!condition)
        __verify_fail("assertion", text);
}

void __CPROVER_postcondition(int condition, const char *text)
{
    if (!condition)
        __verify_fail("assertion", text);
}

void __CPROVER_atomic_begin(void)
{
}

void __CPROVER_atomic_end(void)
{
}

void *__CPROVER_allocate(size_t size, _Bool zero)
{
    void *p = __verify_alloc(size, 16, VERIFY_FAMILY_MALLOC);
    if (zero)
        __builtin_memset(p, 0, size);
    return p;
}

/* Called without a declaration (`#include <assert.h>` is missing), as tasks for verifiers often do. */
#undef assert
void assert(int condition)
{
    if (!condition)
        __verify_fail("assertion", "assertion fails");
}

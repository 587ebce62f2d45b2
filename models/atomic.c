/* libatomic: what clang calls for atomic objects that the machine has no instruction for, like structures of more than 16
 * bytes. Their names are also those of builtins of the compiler, so they are given as labels. */
#include "internal.h"
#include <stdbool.h>

void __verify_atomic_load(size_t n, const void *object, void *result, int order) __asm__("__atomic_load");
void __verify_atomic_store(size_t n, void *object, const void *value, int order) __asm__("__atomic_store");
void __verify_atomic_exchange(size_t n, void *object, const void *value, void *result, int order)
    __asm__("__atomic_exchange");
bool __verify_atomic_compare_exchange(size_t n, void *object, void *expected, const void *desired, int success, int failure)
    __asm__("__atomic_compare_exchange");

void __verify_atomic_load(size_t n, const void *object, void *result, int order)
{
    (void)order;
    __builtin_memcpy(result, object, n);
}

void __verify_atomic_store(size_t n, void *object, const void *value, int order)
{
    (void)order;
    __builtin_memcpy(object, value, n);
}

void __verify_atomic_exchange(size_t n, void *object, const void *value, void *result, int order)
{
    (void)order;
    if (result == value)
        __verify_unmodelled("an atomic exchange whose result goes where the new value comes from");
    __builtin_memcpy(result, object, n);
    __builtin_memcpy(object, value, n);
}

/* It compares all bytes, those between members too, and nobody knows what these hold. */
bool __verify_atomic_compare_exchange(size_t n, void *object, void *expected, const void *desired, int success, int failure)
{
    (void)n, (void)object, (void)expected, (void)desired, (void)success, (void)failure;
    __verify_unmodelled("a compare-and-exchange of an object that needs libatomic");
}

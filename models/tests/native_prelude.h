/* Included first in every model when it is compiled with gcc for the differential test: gcc turns __builtin_memcpy into a
 * call of memcpy, which is the model itself; here it must be the host's. */
#include <stddef.h>
void *native_memcpy(void *, const void *, size_t);
void *native_memmove(void *, const void *, size_t);
void *native_memset(void *, int, size_t);
#define __builtin_memcpy native_memcpy
#define __builtin_memmove native_memmove
#define __builtin_memset native_memset

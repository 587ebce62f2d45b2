/* What a failed assert() calls: a failing user assertion. */
#include "internal.h"

void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    __verify_fail("assertion", text);
}

void __assert(const char *text, const char *file, int line)
{
    __verify_fail("assertion", text);
}

void __assert_perror_fail(int e, const char *file, unsigned line, const char *function)
{
    const char *text = __verify_lib_strerror(e);
    __verify_fail("assertion", text != NULL ? text : "unexpected error number");
}

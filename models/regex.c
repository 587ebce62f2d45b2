/* <regex.h>, <fnmatch.h>: whether a text matches is anything, and so is where, as long as it is in the text. Which patterns
 * are refused is open as well. */
#include "internal.h"
#include <fnmatch.h>
#include <regex.h>

int regcomp(regex_t *r, const char *pattern, int flags)
{
    __verify_analysis_only("regcomp");
    VM_DEFINED(flags, "regcomp");
    vm_path(pattern);
    if (__verify_choose_failure("regcomp"))
        return 1 + (int)(__verify_nondet_u64("regcomp") & 15);
    __builtin_memset(r, 0, sizeof *r);
    r->re_nsub = __verify_nondet_u64("regcomp") & 0xffff;
    r->no_sub = (flags & REG_NOSUB) != 0;
    /* Every group takes two characters of the pattern. */
    __verify_assume(r->re_nsub <= vm_strlen(pattern) / 2);
    r->buffer = __verify_alloc(1, 1, VERIFY_FAMILY_MALLOC);
    return 0;
}

void regfree(regex_t *r)
{
    if (r->buffer != NULL)
        __verify_free(r->buffer, VERIFY_FAMILY_MALLOC);
    r->buffer = NULL;
}

/* A place in a text of `length` characters, or none. */
static void place(regmatch_t *m, size_t length, int must)
{
    unsigned long v = __verify_nondet_u64("regexec");
    size_t from = v >> 1 & 0x7fffffff, to = v >> 32;
    if (!must && v & 1) {
        m->rm_so = m->rm_eo = -1;
        return;
    }
    if (to > length)
        to = length;
    if (from > to)
        from = to;
    m->rm_so = (regoff_t)from;
    m->rm_eo = (regoff_t)to;
}

int regexec(const regex_t *r, const char *text, size_t n, regmatch_t match[], int flags)
{
    __verify_analysis_only("regexec");
    VM_DEFINED(flags, "regexec");
    if (r->buffer == NULL)
        __verify_fail("invalid-argument", "regexec with a pattern that is not compiled");
    size_t start = 0, length;
    if (flags & REG_STARTEND) {
        start = (size_t)match[0].rm_so;
        length = (size_t)match[0].rm_eo - start;
        vm_touch(text + start, length);
    } else {
        length = vm_strlen(text);
    }
    unsigned long v = __verify_nondet_u64("regexec");
    if (v & 1)
        return v & 2 ? REG_ESPACE : REG_NOMATCH;
    if (r->no_sub)
        return 0;
    for (size_t i = 0; i < n; i++) {
        if (i <= r->re_nsub) {
            place(&match[i], length, i == 0);
            match[i].rm_so += match[i].rm_so < 0 ? 0 : (regoff_t)start;
            match[i].rm_eo += match[i].rm_eo < 0 ? 0 : (regoff_t)start;
        } else {
            match[i].rm_so = match[i].rm_eo = -1;
        }
    }
    return 0;
}

/* Some text; what it would have taken is returned. */
size_t regerror(int code, const regex_t *r, char *out, size_t n)
{
    VM_DEFINED(code, "regerror");
    size_t length = 1 + (__verify_nondet_u64("regerror") & 0x7f);
    if (n > 0) {
        size_t kept = length < n ? length - 1 : n - 1;
        __verify_nondet_bytes(out, kept, "regerror");
        out[kept] = 0;
    }
    return length;
}

int fnmatch(const char *pattern, const char *text, int flags)
{
    __verify_analysis_only("fnmatch");
    VM_DEFINED(flags, "fnmatch");
    vm_path(pattern);
    vm_path(text);
    /* -1: an error, such as no memory. */
    unsigned long v = __verify_nondet_u64("fnmatch");
    return v & 1 ? 0 : v & 2 ? -1 : FNM_NOMATCH;
}

/* <iconv.h>: a text of other bytes and another length. Which conversions there are, how far one comes and why it ends there
 * is open, within what it was given. */
#include "internal.h"
#include <iconv.h>

iconv_t iconv_open(const char *to, const char *from)
{
    __verify_analysis_only("iconv_open");
    static vm_reasons why = {EINVAL, EMFILE, ENFILE, ENOMEM, EINVAL, EINVAL, EINVAL, ENOMEM};
    vm_path(to);
    vm_path(from);
    if (vm_fails("iconv_open", why))
        return (iconv_t)-1;
    return __verify_alloc(1, 1, VERIFY_FAMILY_MALLOC);
}

int iconv_close(iconv_t cd)
{
    if (cd == (iconv_t)-1) {
        errno = EBADF;
        return -1;
    }
    __verify_free(cd, VERIFY_FAMILY_MALLOC);
    return 0;
}

/* Some output; all that there is room for at most. */
static void put(char **out, size_t *left)
{
    size_t n = __verify_nondet_u64("iconv") % (*left + 1);
    __verify_nondet_bytes(*out, n, "iconv");
    *out += n;
    *left -= n;
}

size_t iconv(iconv_t cd, char **in, size_t *in_left, char **out, size_t *out_left)
{
    __verify_analysis_only("iconv");
    static vm_reasons why = {E2BIG, EILSEQ, EINVAL, E2BIG, EILSEQ, EINVAL, E2BIG, E2BIG};
    if (cd == (iconv_t)-1 || cd == NULL)
        __verify_fail("invalid-argument", "iconv with a conversion that was not opened");
    (void)*(volatile char *)cd; /* until iconv_close */
    if (in == NULL || *in == NULL) {
        /* Back to the first state, with what has to be written for that. */
        if (out == NULL || *out == NULL)
            return 0;
        if (__verify_choose_failure("iconv")) {
            errno = E2BIG;
            return (size_t)-1;
        }
        put(out, out_left);
        return 0;
    }
    vm_touch(*in, *in_left);
    size_t taken = __verify_nondet_u64("iconv") % (*in_left + 1);
    if (taken > 0)
        put(out, out_left);
    *in += taken;
    *in_left -= taken;
    if (*in_left > 0) {
        errno = why[__verify_nondet_u64("iconv") & 7];
        return (size_t)-1;
    }
    return __verify_nondet_u64("iconv") % (taken + 1);
}

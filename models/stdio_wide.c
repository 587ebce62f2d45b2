/* Wide streams and wide formatted output in the C locale, where a wide character below 128 is one byte and others have none.
 * A stream is oriented by its first use (FILE's _mode): byte output to a wide stream fails, and wide to a byte stream, as in
 * glibc. Wide characters above 127 in swprintf are not modelled; wide scanf is not modelled. */
#include "stdio_internal.h"
#include <wchar.h>
#undef getwc
#undef putwc

/* 1 if the stream is wide now. */
static int become_wide(struct stream *s)
{
    if (s->f._mode == 0)
        s->f._mode = 1;
    return s->f._mode > 0;
}

static wint_t put_wide(wchar_t c, struct stream *s)
{
    VM_DEFINED(c, "wide character output");
    if (!become_wide(s))
        return WEOF;
    if ((unsigned)c >= 128) {
        errno = EILSEQ;
        s->f._flags |= STREAM_ERROR;
        return WEOF;
    }
    return stream_putc(s, (int)c) == EOF ? WEOF : (wint_t)c;
}

static wint_t get_wide(struct stream *s)
{
    if (!become_wide(s))
        return WEOF;
    int c = stream_getc(s);
    if (c >= 128) {
        errno = EILSEQ;
        s->f._flags |= STREAM_ERROR;
        return WEOF;
    }
    return c == EOF ? WEOF : (wint_t)c;
}

wint_t fputwc(wchar_t c, FILE *f) { return put_wide(c, stream_of(f)); }
wint_t putwc(wchar_t c, FILE *f) { return put_wide(c, stream_of(f)); }
wint_t putwchar(wchar_t c) { return put_wide(c, stream_of(stdout)); }
wint_t fgetwc(FILE *f) { return get_wide(stream_of(f)); }
wint_t getwc(FILE *f) { return get_wide(stream_of(f)); }
wint_t getwchar(void) { return get_wide(stream_of(stdin)); }

wint_t ungetwc(wint_t c, FILE *f)
{
    struct stream *s = stream_of(f);
    if (c >= 128 || !become_wide(s))
        return WEOF;
    return __verify_lib_unget(s, (int)c) == EOF ? WEOF : c;
}

int fputws(const wchar_t *text, FILE *f)
{
    struct stream *s = stream_of(f);
    if (!become_wide(s))
        return -1;
    for (; *text != 0; text++) {
        if (put_wide(*text, s) == WEOF)
            return -1;
    }
    return 1;
}

static wchar_t *get_line(wchar_t *out, int size, FILE *f)
{
    struct stream *s = stream_of(f);
    int n = 0;
    if (size <= 0)
        return NULL;
    if (size == 1) {
        out[0] = 0;
        return out;
    }
    while (n < size - 1) {
        wint_t c = get_wide(s);
        if (c == WEOF)
            break;
        out[n++] = (wchar_t)c;
        if (c == '\n')
            break;
    }
    if (n == 0 || s->f._flags & STREAM_ERROR)
        return NULL;
    out[n] = 0;
    return out;
}

wchar_t *fgetws(wchar_t *out, int size, FILE *f) { return get_line(out, size, f); }

wchar_t *__fgetws_chk(wchar_t *out, size_t have, int size, FILE *f)
{
    if (size > 0)
        vm_chk((size_t)size, have, "fgetws is given a size past the end of the buffer");
    return get_line(out, size, f);
}

int fwide(FILE *f, int mode)
{
    if (f->_mode == 0 && mode != 0)
        f->_mode = mode > 0 ? 1 : -1;
    return f->_mode;
}

/* The format as bytes; every conversion means the same in both. NULL with EILSEQ for a character that has no byte. */
static char *narrow_format(const wchar_t *format)
{
    size_t n = 0;
    while (format[n] != 0) {
        if ((unsigned)format[n] >= 128) {
            errno = EILSEQ;
            return NULL;
        }
        n++;
    }
    char *out = __verify_alloc(n + 1, 1, VERIFY_FAMILY_MALLOC);
    for (size_t i = 0; i <= n; i++)
        out[i] = (char)format[i];
    return out;
}

static int print_wide(FILE *f, const wchar_t *format, va_list ap)
{
    char *bytes = narrow_format(format);
    if (bytes == NULL)
        return -1;
    if (!become_wide(stream_of(f))) {
        /* C leaves this undefined; glibc fails. The arguments have to be good all the same: they are looked at. */
        __verify_lib_vsnprintf(NULL, 0, bytes, ap);
        __verify_free(bytes, VERIFY_FAMILY_MALLOC);
        return -1;
    }
    f->_mode = -1;
    int n = __verify_lib_vfprintf(f, bytes, ap);
    f->_mode = 1;
    __verify_free(bytes, VERIFY_FAMILY_MALLOC);
    return n;
}

static __attribute__((noreturn)) void above_127(wchar_t *out, size_t size)
{
    __verify_unmodelled_use("swprintf with characters above 127", NULL);
    __verify_nondet_bytes(out, size * sizeof *out, "swprintf");
    __verify_unmodelled("swprintf with characters above 127");
}

/* Unlike snprintf: -1 when the text with its NUL does not fit, and then the array still ends with a NUL. */
static int print_to_memory(wchar_t *out, size_t size, const wchar_t *format, va_list ap)
{
    char *bytes = narrow_format(format);
    if (bytes == NULL)
        above_127(out, size);
    va_list again;
    va_copy(again, ap);
    int saved = errno;
    errno = 0;
    int n = __verify_lib_vsnprintf(NULL, 0, bytes, again);
    va_end(again);
    if (n < 0 && errno == EILSEQ)
        above_127(out, size);
    errno = saved;
    if (n >= 0) {
        char *text = __verify_alloc((unsigned long)n + 1, 1, VERIFY_FAMILY_MALLOC);
        __verify_lib_vsnprintf(text, (size_t)n + 1, bytes, ap);
        for (size_t i = 0; i < size && i <= (size_t)n; i++)
            out[i] = (unsigned char)text[i];
        __verify_free(text, VERIFY_FAMILY_MALLOC);
    }
    __verify_free(bytes, VERIFY_FAMILY_MALLOC);
    if (n >= 0 && (size_t)n >= size) {
        if (size > 0)
            out[size - 1] = 0;
        return -1;
    }
    return n;
}

#define WITH_ARGUMENTS(call)                                                                                          \
    va_list ap;                                                                                                       \
    va_start(ap, format);                                                                                             \
    int n = call;                                                                                                     \
    va_end(ap);                                                                                                       \
    return n

int wprintf(const wchar_t *format, ...) { WITH_ARGUMENTS(print_wide(stdout, format, ap)); }
int fwprintf(FILE *f, const wchar_t *format, ...) { WITH_ARGUMENTS(print_wide(f, format, ap)); }
int swprintf(wchar_t *out, size_t size, const wchar_t *format, ...) { WITH_ARGUMENTS(print_to_memory(out, size, format, ap)); }
int vwprintf(const wchar_t *format, va_list ap) { return print_wide(stdout, format, ap); }
int vfwprintf(FILE *f, const wchar_t *format, va_list ap) { return print_wide(f, format, ap); }
int vswprintf(wchar_t *out, size_t size, const wchar_t *format, va_list ap) { return print_to_memory(out, size, format, ap); }

static const char bad_size[] = "swprintf is given a size past the end of the buffer";

int __wprintf_chk(int flag, const wchar_t *format, ...) { WITH_ARGUMENTS(print_wide(stdout, format, ap)); }
int __fwprintf_chk(FILE *f, int flag, const wchar_t *format, ...) { WITH_ARGUMENTS(print_wide(f, format, ap)); }
int __swprintf_chk(wchar_t *out, size_t size, int flag, size_t have, const wchar_t *format, ...)
{
    vm_chk(size, have, bad_size);
    WITH_ARGUMENTS(print_to_memory(out, size, format, ap));
}
int __vswprintf_chk(wchar_t *out, size_t size, int flag, size_t have, const wchar_t *format, va_list ap)
{
    vm_chk(size, have, bad_size);
    return print_to_memory(out, size, format, ap);
}

/* <wchar.h> and <wctype.h>: wide strings, and conversions in the C locale, where a multibyte character is one byte below 128.
 * Wide streams are in stdio_wide.c. */
#include "internal.h"
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>
#include <inttypes.h>

static size_t length(const wchar_t *s)
{
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

static size_t bounded_length(const wchar_t *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n] != 0)
        n++;
    return n;
}

size_t wcslen(const wchar_t *s) { return length(s); }
size_t wcsnlen(const wchar_t *s, size_t max) { return bounded_length(s, max); }

wchar_t *wmemcpy(wchar_t *dst, const wchar_t *src, size_t n)
{
    __builtin_memcpy(dst, src, n * sizeof *dst);
    return dst;
}

wchar_t *wmempcpy(wchar_t *dst, const wchar_t *src, size_t n)
{
    __builtin_memcpy(dst, src, n * sizeof *dst);
    return dst + n;
}

wchar_t *wmemmove(wchar_t *dst, const wchar_t *src, size_t n)
{
    __builtin_memmove(dst, src, n * sizeof *dst);
    return dst;
}

wchar_t *wmemset(wchar_t *dst, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = c;
    return dst;
}

/* C asks for n valid wide characters on both sides, also when an early one differs. */
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    vm_touch(a, n * sizeof *a);
    vm_touch(b, n * sizeof *b);
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i] == c)
            return (wchar_t *)s + i;
    }
    return NULL;
}

wchar_t *wcscpy(wchar_t *dst, const wchar_t *src)
{
    __builtin_memcpy(dst, src, (length(src) + 1) * sizeof *dst);
    return dst;
}

wchar_t *wcpcpy(wchar_t *dst, const wchar_t *src)
{
    size_t n = length(src);
    __builtin_memcpy(dst, src, (n + 1) * sizeof *dst);
    return dst + n;
}

wchar_t *wcsncpy(wchar_t *dst, const wchar_t *src, size_t max)
{
    size_t n = bounded_length(src, max);
    __builtin_memcpy(dst, src, n * sizeof *dst);
    __builtin_memset(dst + n, 0, (max - n) * sizeof *dst);
    return dst;
}

wchar_t *wcscat(wchar_t *dst, const wchar_t *src)
{
    __builtin_memcpy(dst + length(dst), src, (length(src) + 1) * sizeof *dst);
    return dst;
}

wchar_t *wcsncat(wchar_t *dst, const wchar_t *src, size_t max)
{
    size_t at = length(dst), n = bounded_length(src, max);
    __builtin_memcpy(dst + at, src, n * sizeof *dst);
    dst[at + n] = 0;
    return dst;
}

int wcscmp(const wchar_t *a, const wchar_t *b)
{
    size_t i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return a[i] < b[i] ? -1 : a[i] > b[i];
}

int wcscoll(const wchar_t *a, const wchar_t *b)
{
    size_t i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return a[i] < b[i] ? -1 : a[i] > b[i];
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i] || a[i] == 0)
            return a[i] < b[i] ? -1 : a[i] > b[i];
    }
    return 0;
}

static wint_t lower(wint_t c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }
static wint_t upper(wint_t c) { return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c; }

int wcscasecmp(const wchar_t *a, const wchar_t *b)
{
    size_t i = 0;
    while (a[i] != 0 && lower((wint_t)a[i]) == lower((wint_t)b[i]))
        i++;
    return (int)lower((wint_t)a[i]) - (int)lower((wint_t)b[i]);
}

wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
    for (;; s++) {
        if (*s == c)
            return (wchar_t *)s;
        if (*s == 0)
            return NULL;
    }
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
    const wchar_t *found = NULL;
    for (;; s++) {
        if (*s == c)
            found = s;
        if (*s == 0)
            return (wchar_t *)found;
    }
}

static int in_set(const wchar_t *set, wchar_t c)
{
    for (; *set != 0; set++) {
        if (*set == c)
            return 1;
    }
    return 0;
}

static size_t span(const wchar_t *s, const wchar_t *set, int wanted)
{
    size_t n = 0;
    while (s[n] != 0 && in_set(set, s[n]) == wanted)
        n++;
    return n;
}

size_t wcsspn(const wchar_t *s, const wchar_t *set) { return span(s, set, 1); }
size_t wcscspn(const wchar_t *s, const wchar_t *set) { return span(s, set, 0); }

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set)
{
    s += span(s, set, 0);
    return *s != 0 ? (wchar_t *)s : NULL;
}

wchar_t *wcsstr(const wchar_t *haystack, const wchar_t *needle)
{
    for (;; haystack++) {
        size_t j = 0;
        while (needle[j] != 0 && haystack[j] == needle[j])
            j++;
        if (needle[j] == 0)
            return (wchar_t *)haystack;
        if (*haystack == 0)
            return NULL;
    }
}

wchar_t *wcstok(wchar_t *s, const wchar_t *delimiters, wchar_t **rest)
{
    if (s == NULL)
        s = *rest;
    if (s == NULL)
        return NULL;
    s += span(s, delimiters, 1);
    if (*s == 0) {
        *rest = NULL;
        return NULL;
    }
    wchar_t *end = s + span(s, delimiters, 0);
    *rest = *end != 0 ? end + 1 : NULL;
    *end = 0;
    return s;
}

wchar_t *wcsdup(const wchar_t *s)
{
    size_t bytes = (length(s) + 1) * sizeof *s;
    wchar_t *copy = malloc(bytes);
    if (copy != NULL)
        __builtin_memcpy(copy, s, bytes);
    return copy;
}

/* ---- Conversions */

static int bad(void)
{
    errno = EILSEQ;
    return -1;
}

wint_t btowc(int c) { return c >= 0 && c < 128 ? (wint_t)c : WEOF; }
int wctob(wint_t c) { return c < 128 ? (int)c : -1; }
int mbsinit(const mbstate_t *state) { return 1; }

/* One character: its length, 0 for NUL, -1 for a bad one, -2 when there is no byte. */
static long decode(wchar_t *out, const char *s, size_t n)
{
    if (n == 0)
        return -2;
    unsigned char c = (unsigned char)s[0];
    if (c >= 128)
        return bad();
    if (out != NULL)
        *out = c;
    return c != 0;
}

size_t mbrtowc(wchar_t *out, const char *s, size_t n, mbstate_t *state)
{
    return s == NULL ? 0 : (size_t)decode(out, s, n);
}

size_t mbrlen(const char *s, size_t n, mbstate_t *state)
{
    return s == NULL ? 0 : (size_t)decode(NULL, s, n);
}

int mbtowc(wchar_t *out, const char *s, size_t n)
{
    long r = s == NULL ? 0 : decode(out, s, n);
    return r == -2 ? -1 : (int)r;
}

int mblen(const char *s, size_t n)
{
    long r = s == NULL ? 0 : decode(NULL, s, n);
    return r == -2 ? -1 : (int)r;
}

static size_t to_byte(char *out, wchar_t c)
{
    if (out == NULL)
        return 1;
    if ((unsigned)c >= 128)
        return (size_t)bad();
    *out = (char)c;
    return 1;
}

size_t wcrtomb(char *out, wchar_t c, mbstate_t *state) { return to_byte(out, c); }
int wctomb(char *out, wchar_t c) { return out == NULL ? 0 : (int)to_byte(out, c); }

/* At most `max` characters; `*src` moves, and becomes null at the end of the text, where there is a destination. */
static size_t decode_string(wchar_t *dst, const char **src, size_t from, size_t max)
{
    const char *s = *src;
    size_t n = 0;
    for (; (dst == NULL || n < max) && n < from; n++) {
        unsigned char c = (unsigned char)s[n];
        if (c >= 128) {
            if (dst != NULL)
                *src = s + n;
            return (size_t)bad();
        }
        if (dst != NULL)
            dst[n] = c;
        if (c == 0) {
            if (dst != NULL)
                *src = NULL;
            return n;
        }
    }
    if (dst != NULL)
        *src = s + n;
    return n;
}

size_t mbstowcs(wchar_t *dst, const char *src, size_t max) { return decode_string(dst, &src, SIZE_MAX, max); }
size_t mbsrtowcs(wchar_t *dst, const char **src, size_t max, mbstate_t *state)
{
    return decode_string(dst, src, SIZE_MAX, max);
}
size_t mbsnrtowcs(wchar_t *dst, const char **src, size_t from, size_t max, mbstate_t *state)
{
    return decode_string(dst, src, from, max);
}

static size_t encode_string(char *dst, const wchar_t **src, size_t from, size_t max)
{
    const wchar_t *s = *src;
    size_t n = 0;
    for (; (dst == NULL || n < max) && n < from; n++) {
        if ((unsigned)s[n] >= 128) {
            if (dst != NULL)
                *src = s + n;
            return (size_t)bad();
        }
        if (dst != NULL)
            dst[n] = (char)s[n];
        if (s[n] == 0) {
            if (dst != NULL)
                *src = NULL;
            return n;
        }
    }
    if (dst != NULL)
        *src = s + n;
    return n;
}

size_t wcstombs(char *dst, const wchar_t *src, size_t max) { return encode_string(dst, &src, SIZE_MAX, max); }
size_t wcsrtombs(char *dst, const wchar_t **src, size_t max, mbstate_t *state)
{
    return encode_string(dst, src, SIZE_MAX, max);
}
size_t wcsnrtombs(char *dst, const wchar_t **src, size_t from, size_t max, mbstate_t *state)
{
    return encode_string(dst, src, from, max);
}

int wcwidth(wchar_t c)
{
    return c == 0 ? 0 : c >= 32 && c < 127 ? 1 : -1;
}

int wcswidth(const wchar_t *s, size_t n)
{
    int width = 0;
    for (size_t i = 0; i < n && s[i] != 0; i++) {
        if (s[i] < 32 || s[i] >= 127)
            return -1;
        width++;
    }
    return width;
}

/* ---- Classes */

#define CLASS(name, condition)                                                                                        \
    int name(wint_t c)                                                                                                \
    {                                                                                                                 \
        return condition;                                                                                             \
    }

CLASS(iswdigit, c >= '0' && c <= '9')
CLASS(iswupper, c >= 'A' && c <= 'Z')
CLASS(iswlower, c >= 'a' && c <= 'z')
CLASS(iswalpha, lower(c) >= 'a' && lower(c) <= 'z')
CLASS(iswalnum, (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9'))
CLASS(iswspace, c == ' ' || (c >= '\t' && c <= '\r'))
CLASS(iswblank, c == ' ' || c == '\t')
CLASS(iswcntrl, c < 32 || c == 127)
CLASS(iswprint, c >= 32 && c < 127)
CLASS(iswgraph, c > 32 && c < 127)
CLASS(iswpunct, c > 32 && c < 127 && !(lower(c) >= 'a' && lower(c) <= 'z') && !(c >= '0' && c <= '9'))
CLASS(iswxdigit, (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'f'))

wint_t towlower(wint_t c) { return lower(c); }
wint_t towupper(wint_t c) { return upper(c); }

/* ---- Numbers: the characters of a number are below 128; the text is narrowed as far as they go. */

static char *narrow(const wchar_t *s, char *small, size_t small_size, size_t *spaces)
{
    size_t skipped = 0, n = 0;
    while (s[skipped] == ' ' || (s[skipped] >= '\t' && s[skipped] <= '\r'))
        skipped++;
    while (s[skipped + n] > 32 && s[skipped + n] < 127)
        n++;
    char *out = n + 1 <= small_size ? small : __verify_alloc(n + 1, 1, VERIFY_FAMILY_MALLOC);
    for (size_t i = 0; i < n; i++)
        out[i] = (char)s[skipped + i];
    out[n] = 0;
    *spaces = skipped;
    return out;
}

#define WCSTO_INTEGER(name, type, is_signed)                                                                          \
    type name(const wchar_t *s, wchar_t **end, int base)                                                              \
    {                                                                                                                 \
        char small[72];                                                                                               \
        size_t spaces;                                                                                                \
        const char *stop = NULL;                                                                                      \
        char *text = narrow(s, small, sizeof small, &spaces);                                                         \
        type v = (type)__verify_lib_strtoull(text, &stop, base, is_signed, 8 * sizeof(type), 0);                      \
        if (end != NULL && stop != NULL)                                                                              \
            *end = (wchar_t *)s + (stop == text ? 0 : spaces + (size_t)(stop - text));                                \
        if (text != small)                                                                                            \
            __verify_free(text, VERIFY_FAMILY_MALLOC);                                                                \
        return v;                                                                                                     \
    }

WCSTO_INTEGER(wcstol, long, 1)
WCSTO_INTEGER(wcstoul, unsigned long, 0)
WCSTO_INTEGER(wcstoll, long long, 1)
WCSTO_INTEGER(wcstoull, unsigned long long, 0)

#define WCSTO_REAL(name, type, parse)                                                                                 \
    type name(const wchar_t *s, wchar_t **end)                                                                        \
    {                                                                                                                 \
        char small[72];                                                                                               \
        size_t spaces;                                                                                                \
        const char *stop;                                                                                             \
        char *text = narrow(s, small, sizeof small, &spaces);                                                         \
        type v = parse(text, &stop);                                                                                  \
        if (end != NULL)                                                                                              \
            *end = (wchar_t *)s + (stop == text ? 0 : spaces + (size_t)(stop - text));                                \
        if (text != small)                                                                                            \
            __verify_free(text, VERIFY_FAMILY_MALLOC);                                                                \
        return v;                                                                                                     \
    }

WCSTO_REAL(wcstof, float, __verify_lib_strtof)
WCSTO_REAL(wcstod, double, __verify_lib_strtod)
WCSTO_REAL(wcstold, long double, __verify_lib_strtold)

/* ---- Fortified forms; sizes in wide characters. */

wchar_t *__wcscpy_chk(wchar_t *dst, const wchar_t *src, size_t have)
{
    size_t n = length(src) + 1;
    vm_chk(n, have, "wcscpy writes past the end of the destination");
    __builtin_memcpy(dst, src, n * sizeof *dst);
    return dst;
}

wchar_t *__wcscat_chk(wchar_t *dst, const wchar_t *src, size_t have)
{
    size_t at = length(dst), n = length(src) + 1;
    vm_chk(at + n, have, "wcscat writes past the end of the destination");
    __builtin_memcpy(dst + at, src, n * sizeof *dst);
    return dst;
}

wchar_t *__wcsncpy_chk(wchar_t *dst, const wchar_t *src, size_t max, size_t have)
{
    vm_chk(max, have, "wcsncpy writes past the end of the destination");
    size_t n = bounded_length(src, max);
    __builtin_memcpy(dst, src, n * sizeof *dst);
    __builtin_memset(dst + n, 0, (max - n) * sizeof *dst);
    return dst;
}

wchar_t *__wcsncat_chk(wchar_t *dst, const wchar_t *src, size_t max, size_t have)
{
    size_t at = length(dst), n = bounded_length(src, max);
    vm_chk(at + n + 1, have, "wcsncat writes past the end of the destination");
    __builtin_memcpy(dst + at, src, n * sizeof *dst);
    dst[at + n] = 0;
    return dst;
}

wchar_t *__wmemcpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t have)
{
    vm_chk(n, have, "wmemcpy writes past the end of the destination");
    __builtin_memcpy(dst, src, n * sizeof *dst);
    return dst;
}

wchar_t *__wmemmove_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t have)
{
    vm_chk(n, have, "wmemmove writes past the end of the destination");
    __builtin_memmove(dst, src, n * sizeof *dst);
    return dst;
}

wchar_t *__wmemset_chk(wchar_t *dst, wchar_t c, size_t n, size_t have)
{
    vm_chk(n, have, "wmemset writes past the end of the destination");
    for (size_t i = 0; i < n; i++)
        dst[i] = c;
    return dst;
}

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int x = (int)lower((wint_t)a[i]), y = (int)lower((wint_t)b[i]);
        if (x != y || x == 0)
            return x - y;
    }
    return 0;
}

/* The C locale: the transformed string is the string. */
size_t wcsxfrm(wchar_t *dst, const wchar_t *src, size_t size)
{
    size_t n = length(src);
    if (size > 0)
        __builtin_memcpy(dst, src, (n + 1 < size ? n + 1 : size) * sizeof *dst);
    return n;
}

WCSTO_INTEGER(wcstoimax, intmax_t, 1)
WCSTO_INTEGER(wcstoumax, uintmax_t, 0)

/* Classes and mappings by name. */
static const char *const class_names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                          "lower", "print", "punct", "space", "upper", "xdigit"};

wctype_t wctype(const char *name)
{
    for (wctype_t i = 0; i < 12; i++) {
        if (vm_strcmp(name, class_names[i]) == 0)
            return i + 1;
    }
    return 0;
}

int iswctype(wint_t c, wctype_t which)
{
    if (which == 0)
        return 0;
    if (which > 12)
        __verify_fail("invalid-argument", "iswctype with a class that wctype did not give");
    int letter = lower(c) >= 'a' && lower(c) <= 'z', digit = c >= '0' && c <= '9', graph = c > 32 && c < 127;
    switch (which - 1) {
    case 0: return letter || digit;
    case 1: return letter;
    case 2: return c == ' ' || c == '\t';
    case 3: return c < 32 || c == 127;
    case 4: return digit;
    case 5: return graph;
    case 6: return letter && c == lower(c);
    case 7: return graph || c == ' ';
    case 8: return graph && !letter && !digit;
    case 9: return c == ' ' || (c >= '\t' && c <= '\r');
    case 10: return letter && c != lower(c);
    default: return digit || (lower(c) >= 'a' && lower(c) <= 'f');
    }
}

static const int mappings[2];

wctrans_t wctrans(const char *name)
{
    return vm_strcmp(name, "tolower") == 0 ? &mappings[0] : vm_strcmp(name, "toupper") == 0 ? &mappings[1] : NULL;
}

wint_t towctrans(wint_t c, wctrans_t which)
{
    return which == &mappings[0] ? lower(c) : which == &mappings[1] ? upper(c) : c;
}

size_t __mbstowcs_chk(wchar_t *dst, const char *src, size_t max, size_t have)
{
    vm_chk(max, have, "mbstowcs is given a size past the end of the destination");
    return decode_string(dst, &src, SIZE_MAX, max);
}

size_t __mbsrtowcs_chk(wchar_t *dst, const char **src, size_t max, mbstate_t *state, size_t have)
{
    vm_chk(max, have, "mbsrtowcs is given a size past the end of the destination");
    return decode_string(dst, src, SIZE_MAX, max);
}

size_t __wcstombs_chk(char *dst, const wchar_t *src, size_t max, size_t have)
{
    vm_chk(max, have, "wcstombs is given a size past the end of the destination");
    return encode_string(dst, &src, SIZE_MAX, max);
}

size_t __wcsrtombs_chk(char *dst, const wchar_t **src, size_t max, mbstate_t *state, size_t have)
{
    vm_chk(max, have, "wcsrtombs is given a size past the end of the destination");
    return encode_string(dst, src, SIZE_MAX, max);
}

/* glibc ends the process where there is less room than the longest character of the locale may take. */
size_t __wcrtomb_chk(char *dst, wchar_t c, mbstate_t *state, size_t have)
{
    vm_chk(1, have, "wcrtomb writes past the end of the destination");
    return to_byte(dst, c);
}

int __wctomb_chk(char *dst, wchar_t c, size_t have)
{
    vm_chk(1, have, "wctomb writes past the end of the destination");
    return dst == NULL ? 0 : (int)to_byte(dst, c);
}

/* Formatted input: the whole scanf family over one reader, with glibc's rules for what a conversion consumes. The C locale;
 * wide targets (%ls, %lc, %l[) take characters below 128. */
#include "stdio_internal.h"
#include <stdlib.h>
#include <wchar.h>

/* Where the text comes from: a stream, or memory. */
struct source {
    struct stream *stream;
    const char *text;
    long taken; /* characters taken, for %n */
};

static int take(struct source *in)
{
    int c;
    if (in->stream != NULL)
        c = stream_get_byte(in->stream);
    else
        c = *in->text != 0 ? (unsigned char)*in->text++ : EOF;
    if (c != EOF)
        in->taken++;
    return c;
}

static void put_back(struct source *in, int c)
{
    if (c == EOF)
        return;
    in->taken--;
    if (in->stream != NULL)
        __verify_lib_unget(in->stream, c);
    else
        in->text--;
}

enum length { LENGTH_NONE, LENGTH_HH, LENGTH_H, LENGTH_L, LENGTH_LL, LENGTH_LONG_DOUBLE, LENGTH_Z, LENGTH_J, LENGTH_T };

struct spec {
    unsigned suppress : 1, allocate : 1;
    long width; /* characters; -1: no limit */
    enum length length;
    int conversion;
    int position;           /* argument number from 1; 0: the next one */
    const char *set, *set_end; /* of %[, without brackets and circumflex */
    int set_negated;
};

/* Text of a number, or characters for a growing target; in an array of the caller while it fits. The array is no part of
 * this, so that what is written there leaves the pointers alone. */
struct text {
    char *p;
    size_t n, cap;
    char *small;
};
typedef char small_text[128];

static void text_init(struct text *t, char *small)
{
    t->p = t->small = small;
    t->n = 0;
    t->cap = sizeof(small_text);
}

static void text_add(struct text *t, int c)
{
    if (t->n == t->cap) {
        char *grown = __verify_alloc(t->cap * 2, 1, VERIFY_FAMILY_MALLOC);
        __builtin_memcpy(grown, t->p, t->n);
        if (t->p != t->small)
            __verify_free(t->p, VERIFY_FAMILY_MALLOC);
        t->p = grown;
        t->cap *= 2;
    }
    t->p[t->n++] = (char)c;
}

static void text_done(struct text *t)
{
    if (t->p != t->small)
        __verify_free(t->p, VERIFY_FAMILY_MALLOC);
}

enum outcome { MATCHED, INPUT_FAILURE, MATCHING_FAILURE, NO_MEMORY };

struct targets {
    va_list start, ap;
};

static void *target(struct targets *t, int position)
{
    if (position == 0)
        return va_arg(t->ap, void *);
    va_list again;
    void *p = NULL;
    va_copy(again, t->start);
    for (int i = 0; i < position; i++)
        p = va_arg(again, void *);
    va_end(again);
    return p;
}

static void store_integer(void *p, enum length length, unsigned long long v)
{
    switch (length) {
    case LENGTH_HH: *(signed char *)p = (signed char)v; break;
    case LENGTH_H: *(short *)p = (short)v; break;
    case LENGTH_L: *(long *)p = (long)v; break;
    case LENGTH_LL: case LENGTH_LONG_DOUBLE: *(long long *)p = (long long)v; break;
    case LENGTH_Z: *(size_t *)p = (size_t)v; break;
    case LENGTH_J: *(intmax_t *)p = (intmax_t)v; break;
    case LENGTH_T: *(ptrdiff_t *)p = (ptrdiff_t)v; break;
    default: *(int *)p = (int)v; break;
    }
}

static int is_long_long(enum length l)
{
    return l == LENGTH_LL || l == LENGTH_LONG_DOUBLE || l == LENGTH_J
        || (sizeof(long) == 8 && (l == LENGTH_Z || l == LENGTH_T || l == LENGTH_L));
}

/* The rest of "(nil)" after its parenthesis, which is how %p prints a null pointer. */
static int rest_of_nil(struct source *in)
{
    static const char rest[] = "nil)";
    for (int i = 0; rest[i] != 0; i++) {
        int c = take(in);
        if (c == EOF || vm_tolower(c) != rest[i]) {
            put_back(in, c);
            return 0;
        }
    }
    return 1;
}

static enum outcome scan_integer(struct source *in, const struct spec *s, struct targets *t, int base, int is_signed)
{
    struct text digits;
    small_text small;
    long width = s->width;
    text_init(&digits, small);
    int c = take(in);
    if (c == EOF)
        return INPUT_FAILURE;
    if (c == '-' || c == '+') {
        text_add(&digits, c);
        if (width > 0)
            width--;
        c = width != 0 ? take(in) : EOF;
        if (width == 0)
            return MATCHING_FAILURE;
    }
    if (width != 0 && c == '0') {
        if (width > 0)
            width--;
        text_add(&digits, c);
        c = width != 0 ? take(in) : EOF;
        if (width != 0 && c != EOF && vm_tolower(c) == 'x') {
            if (base == 0)
                base = 16;
            if (base == 16) {
                if (width > 0)
                    width--;
                c = width != 0 ? take(in) : EOF;
            }
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    while (c != EOF && width != 0) {
        if (base == 16 ? !vm_isxdigit(c) : !vm_isdigit(c) || c - '0' >= base)
            break;
        text_add(&digits, c);
        if (width > 0)
            width--;
        c = width != 0 ? take(in) : EOF;
    }
    enum outcome result = MATCHED;
    unsigned long long v = 0;
    if (digits.n == 0 || (digits.n == 1 && (digits.p[0] == '+' || digits.p[0] == '-'))) {
        if (digits.n == 0 && s->conversion == 'p' && (s->width < 0 || s->width >= 5) && c == '(') {
            if (!rest_of_nil(in))
                result = MATCHING_FAILURE;
        } else {
            put_back(in, c);
            result = MATCHING_FAILURE;
        }
    } else {
        const char *end;
        put_back(in, c);
        text_add(&digits, 0);
        int bits = is_long_long(s->length) ? 64 : 8 * (int)sizeof(long);
        v = __verify_lib_strtoull(digits.p, &end, base, is_signed, bits, 0);
    }
    text_done(&digits);
    if (result == MATCHED && !s->suppress) {
        void *p = target(t, s->position);
        if (s->conversion == 'p')
            *(void **)p = (void *)(uintptr_t)v;
        else
            store_integer(p, s->length, v);
    }
    return result;
}

/* The letters of `word`; each must be there. A wrong one is consumed, as in glibc. */
static int scan_word(struct source *in, struct text *t, long *width, const char *word)
{
    for (int i = 0; word[i] != 0; i++) {
        int c = *width != 0 ? take(in) : EOF;
        if (c == EOF || vm_tolower(c) != word[i])
            return 0;
        if (*width > 0)
            *width -= 1;
        text_add(t, c);
    }
    return 1;
}

/* Collects what glibc takes for a floating-point number; 0 if it cannot be one. The width was already reduced by one for
 * the character in c. */
static int collect_real(struct source *in, struct text *t, long width, int c)
{
    int has_sign = 0, digit = 0, point = 0, exponent = 0, hex = 0;
    if (c == '-' || c == '+') {
        has_sign = 1;
        text_add(t, c);
        if (width == 0 || (c = take(in)) == EOF)
            return 0;
        if (width > 0)
            width--;
    }
    if (vm_tolower(c) == 'n') {
        text_add(t, c);
        return scan_word(in, t, &width, "an");
    }
    if (vm_tolower(c) == 'i') {
        text_add(t, c);
        if (!scan_word(in, t, &width, "nf"))
            return 0;
        if (width == 0 || (c = take(in)) == EOF)
            return 1;
        if (vm_tolower(c) != 'i') {
            put_back(in, c);
            return 1;
        }
        if (width > 0)
            width--;
        text_add(t, c);
        return scan_word(in, t, &width, "nity");
    }
    int more = 1;
    if (width != 0 && c == '0') {
        text_add(t, c);
        c = take(in);
        if (width > 0)
            width--;
        if (width != 0 && c != EOF && vm_tolower(c) == 'x') {
            text_add(t, c);
            hex = 1;
            c = take(in);
            if (width > 0)
                width--;
        } else {
            digit = 1;
        }
    }
    int exponent_letter = hex ? 'p' : 'e';
    while (more) {
        if (c == EOF)
            break;
        if (vm_isdigit(c) || (hex && !exponent && vm_isxdigit(c))) {
            text_add(t, c);
            digit = 1;
        } else if (exponent && t->p[t->n - 1] == exponent_letter && (c == '-' || c == '+')) {
            text_add(t, c);
        } else if (digit && !exponent && vm_tolower(c) == exponent_letter) {
            text_add(t, exponent_letter);
            exponent = point = 1;
        } else if (!point && c == '.') {
            text_add(t, c);
            point = 1;
        } else {
            put_back(in, c);
            break;
        }
        if (width == 0 || (c = take(in)) == EOF)
            break;
        if (width > 0)
            width--;
    }
    return !(t->n == (size_t)has_sign || (hex && t->n == (size_t)has_sign + 2));
}

static enum outcome scan_real(struct source *in, const struct spec *s, struct targets *t)
{
    struct text text;
    small_text small;
    const char *end;
    enum outcome result = MATCHING_FAILURE;
    long width = s->width;
    text_init(&text, small);
    int c = take(in);
    if (width > 0)
        width--;
    if (c == EOF)
        return INPUT_FAILURE;
    if (collect_real(in, &text, width, c)) {
        text_add(&text, 0);
        float f;
        double d;
        long double l;
        if (s->length == LENGTH_LONG_DOUBLE || s->length == LENGTH_LL)
            l = __verify_lib_strtold(text.p, &end);
        else if (s->length == LENGTH_L)
            d = __verify_lib_strtod(text.p, &end);
        else
            f = __verify_lib_strtof(text.p, &end);
        if (end != text.p) {
            result = MATCHED;
            if (!s->suppress) {
                void *p = target(t, s->position);
                if (s->length == LENGTH_LONG_DOUBLE || s->length == LENGTH_LL)
                    *(long double *)p = l;
                else if (s->length == LENGTH_L)
                    *(double *)p = d;
                else
                    *(float *)p = f;
            }
        }
    }
    text_done(&text);
    return result;
}

static int in_set(const struct spec *s, int c)
{
    int found = 0;
    for (const char *p = s->set; p != s->set_end; p++) {
        if (*p == '-' && p != s->set && p + 1 != s->set_end && (unsigned char)p[-1] <= (unsigned char)p[1]) {
            if (c >= (unsigned char)p[-1] && c <= (unsigned char)p[1])
                found = 1;
        } else if ((unsigned char)*p == c) {
            found = 1;
        }
    }
    return found != s->set_negated;
}

/* %c, %s and %[: characters into the target, wide or narrow, given or allocated. */
static enum outcome scan_characters(struct source *in, const struct spec *s, struct targets *t)
{
    extern void *malloc(size_t);
    int wide = s->length == LENGTH_L || s->length == LENGTH_LL || s->conversion == 'S' || s->conversion == 'C';
    int counted = s->conversion == 'c' || s->conversion == 'C';
    long width = counted && s->width < 0 ? 1 : s->width;
    char *narrow_out = NULL;
    wchar_t *wide_out = NULL;
    void **allocated = NULL;
    struct text text;
    small_text small;
    size_t n = 0;
    int c = take(in);
    if (c == EOF)
        return INPUT_FAILURE;
    if (s->conversion == '[' && !in_set(s, c)) {
        put_back(in, c);
        return MATCHING_FAILURE;
    }
    text_init(&text, small);
    if (!s->suppress) {
        void *p = target(t, s->position);
        if (s->allocate)
            allocated = p;
        else if (wide)
            wide_out = p;
        else
            narrow_out = p;
    }
    for (;;) {
        int stop = s->conversion == '[' ? !in_set(s, c) : counted ? 0 : vm_isspace(c);
        if (stop) {
            put_back(in, c);
            break;
        }
        if (wide && c >= 128) {
            errno = EILSEQ;
            text_done(&text);
            return INPUT_FAILURE;
        }
        if (narrow_out != NULL)
            narrow_out[n] = (char)c;
        else if (wide_out != NULL)
            wide_out[n] = c;
        else if (allocated != NULL)
            text_add(&text, c);
        n++;
        if (width > 0 && --width == 0)
            break;
        c = take(in);
        if (c == EOF)
            break;
    }
    if (!counted) {
        if (narrow_out != NULL)
            narrow_out[n] = 0;
        else if (wide_out != NULL)
            wide_out[n] = 0;
    }
    enum outcome result = MATCHED;
    if (allocated != NULL) {
        size_t m = n + !counted;
        char *p = malloc(wide ? m * sizeof(wchar_t) : m);
        *allocated = p;
        if (p == NULL) {
            result = NO_MEMORY;
        } else {
            if (!counted)
                text_add(&text, 0);
            for (size_t i = 0; i < m; i++) {
                if (wide)
                    ((wchar_t *)p)[i] = (unsigned char)text.p[i];
                else
                    p[i] = text.p[i];
            }
        }
    }
    text_done(&text);
    return result;
}

static long parse_number(const char **at)
{
    long n = 0;
    for (; vm_isdigit((unsigned char)**at); *at += 1) {
        if (n < INT_MAX)
            n = n * 10 + (**at - '0');
    }
    return n > INT_MAX ? INT_MAX : n;
}

static struct spec parse_spec(const char **at, int legacy)
{
    struct spec s = {0};
    const char *p = *at;
    s.width = -1;
    if (vm_isdigit((unsigned char)*p)) {
        const char *q = p;
        long n = parse_number(&q);
        if (*q == '$') {
            s.position = (int)n;
            p = q + 1;
        }
    }
    for (;; p++) {
        if (*p == '*')
            s.suppress = 1;
        else if (*p != '\'' && *p != 'I')
            break;
    }
    if (vm_isdigit((unsigned char)*p)) {
        s.width = parse_number(&p);
        if (s.width == 0)
            s.width = -1;
    }
    if (*p == 'm') {
        s.allocate = 1;
        p++;
    } else if (legacy && *p == 'a' && (p[1] == 's' || p[1] == 'S' || p[1] == '[')) {
        s.allocate = 1;
        p++;
    }
    switch (*p) {
    case 'h':
        p++;
        s.length = LENGTH_H;
        if (*p == 'h') {
            p++;
            s.length = LENGTH_HH;
        }
        break;
    case 'l':
        p++;
        s.length = LENGTH_L;
        if (*p == 'l') {
            p++;
            s.length = LENGTH_LL;
        }
        break;
    case 'q': p++; s.length = LENGTH_LL; break;
    case 'L': p++; s.length = LENGTH_LONG_DOUBLE; break;
    case 'z': case 'Z': p++; s.length = LENGTH_Z; break;
    case 'j': p++; s.length = LENGTH_J; break;
    case 't': p++; s.length = LENGTH_T; break;
    }
    s.conversion = (unsigned char)*p;
    if (*p != 0)
        p++;
    if (s.conversion == '[') {
        if (*p == '^') {
            s.set_negated = 1;
            p++;
        }
        s.set = p;
        if (*p == ']')
            p++;
        while (*p != 0 && *p != ']')
            p++;
        if (*p == 0)
            __verify_fail("invalid-argument", "a scanf format ends within %[");
        s.set_end = p;
        p++;
    }
    *at = p;
    return s;
}

static void skip_space(struct source *in)
{
    int c;
    do {
        c = take(in);
    } while (c != EOF && vm_isspace(c));
    put_back(in, c);
}

static enum outcome scan_one(struct source *in, const struct spec *s, struct targets *t, int *counts)
{
    *counts = !s->suppress;
    if (s->conversion != '[' && s->conversion != 'c' && s->conversion != 'C' && s->conversion != 'n')
        skip_space(in);
    switch (s->conversion) {
    case 'd': return scan_integer(in, s, t, 10, 1);
    case 'i': return scan_integer(in, s, t, 0, 1);
    case 'u': return scan_integer(in, s, t, 10, 0);
    case 'o': return scan_integer(in, s, t, 8, 0);
    case 'x': case 'X': return scan_integer(in, s, t, 16, 0);
    case 'p': {
        struct spec pointer = *s;
        pointer.length = LENGTH_L;
        return scan_integer(in, &pointer, t, 16, 0);
    }
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        return scan_real(in, s, t);
    case 'c': case 'C': case 's': case 'S': case '[':
        return scan_characters(in, s, t);
    case 'n':
        *counts = 0;
        if (!s->suppress)
            store_integer(target(t, s->position), s->length, (unsigned long long)in->taken);
        return MATCHED;
    case '%': {
        int c = take(in);
        *counts = 0;
        if (c == EOF)
            return INPUT_FAILURE;
        if (c != '%') {
            put_back(in, c);
            return MATCHING_FAILURE;
        }
        return MATCHED;
    }
    case 0:
        __verify_fail("invalid-argument", "the scanf format ends within a conversion");
    default:
        __verify_fail("invalid-argument", "unknown conversion in a scanf format");
    }
}

static int scan_all(struct source *in, const char *format, va_list ap, int legacy)
{
    struct targets t;
    int matched = 0;
    enum outcome outcome = MATCHED;
    va_copy(t.start, ap);
    va_copy(t.ap, ap);
    while (*format != 0 && outcome == MATCHED) {
        unsigned char f = (unsigned char)*format++;
        if (vm_isspace(f)) {
            skip_space(in);
        } else if (f != '%') {
            int c = take(in);
            if (c == EOF) {
                outcome = INPUT_FAILURE;
            } else if (c != f) {
                put_back(in, c);
                outcome = MATCHING_FAILURE;
            }
        } else {
            int counts;
            struct spec s = parse_spec(&format, legacy);
            outcome = scan_one(in, &s, &t, &counts);
            if (outcome == MATCHED)
                matched += counts;
        }
    }
    va_end(t.ap);
    va_end(t.start);
    if (matched == 0 && (outcome == INPUT_FAILURE || outcome == NO_MEMORY))
        return EOF;
    return matched;
}

int __verify_lib_vfscanf(FILE *f, const char *format, va_list ap, int legacy)
{
    struct source in = {stream_of(f), NULL, 0};
    return scan_all(&in, format, ap, legacy);
}

/* The text is a string: it must have its NUL also behind the part that is used. */
int __verify_lib_vsscanf(const char *text, const char *format, va_list ap, int legacy)
{
    struct source in = {NULL, text, 0};
    (void)vm_strlen(text);
    return scan_all(&in, format, ap, legacy);
}

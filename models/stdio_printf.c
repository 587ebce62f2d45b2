/* Formatted output: the whole printf family over one formatter. Everything of glibc's printf but register_printf_function
 * and locale-dependent digits; the decimal digits of floating-point numbers come from a primitive.
 * Every argument that is printed must be initialised. A null %s prints (null) as in glibc, but
 * not where a compiler may call another function for it. An unknown conversion, which C
 * leaves undefined, is an error. */
#include "stdio_internal.h"
#include <float.h>
#include <wchar.h>

/* Where the text goes: a stream, through a small buffer, or memory of which `room` bytes may be used. */
struct sink {
    struct stream *stream;
    char *out;
    size_t room;
    size_t bound; /* more bytes than this, NUL included, are an error (fortified sprintf); SIZE_MAX: none */
    const char *bound_message;
    size_t total; /* characters produced */
    size_t chunk_used;
    int failed;
    int text_alone; /* the format is "%s" or "%s\n" */
    char chunk[256];
};

static void sink_flush(struct sink *k)
{
    if (k->chunk_used != 0 && __verify_lib_put(k->stream, k->chunk, k->chunk_used) != k->chunk_used)
        k->failed = 1;
    k->chunk_used = 0;
}

static void emit(struct sink *k, char c)
{
    if (k->stream != NULL) {
        k->chunk[k->chunk_used++] = c;
        if (k->chunk_used == sizeof k->chunk)
            sink_flush(k);
    } else {
        if (k->total + 1 >= k->bound)
            __verify_fail("out-of-bounds-write", k->bound_message);
        if (k->total < k->room)
            k->out[k->total] = c;
    }
    k->total++;
}

static void emit_text(struct sink *k, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        emit(k, p[i]);
}

static void emit_repeated(struct sink *k, char c, long n)
{
    /* Behind the end of the memory only the count goes on. */
    if (k->stream == NULL && k->bound == SIZE_MAX && k->total >= k->room && n > 0) {
        k->total += (size_t)n;
        return;
    }
    for (; n > 0; n--)
        emit(k, c);
}

enum length { LENGTH_NONE, LENGTH_HH, LENGTH_H, LENGTH_L, LENGTH_LL, LENGTH_LONG_DOUBLE, LENGTH_Z, LENGTH_J, LENGTH_T };

struct spec {
    unsigned left : 1, plus : 1, space : 1, alternate : 1, zero : 1;
    long width; /* -1 would overflow: the call fails with EOVERFLOW */
    long precision; /* -1: none */
    enum length length;
    char conversion;
    int width_from, precision_from, value_from; /* argument numbers from 1; 0: none */
};

/* Arguments: either taken in order from `ap`, or, where the format numbers them, collected before. */
enum argument_type { ARG_UNUSED, ARG_INT, ARG_LONG, ARG_LONG_LONG, ARG_SIZE, ARG_MAX, ARG_PTRDIFF, ARG_DOUBLE,
                     ARG_LONG_DOUBLE, ARG_POINTER, ARG_WINT };

union value {
    long long integer;
    double real;
    long double long_real;
    void *pointer;
};

#define MOST_ARGUMENTS 64

struct arguments {
    va_list ap;
    int numbered;
    enum argument_type types[MOST_ARGUMENTS];
    union value values[MOST_ARGUMENTS];
};

static union value next_argument(struct arguments *a, enum argument_type type)
{
    union value v;
    switch (type) {
    case ARG_LONG: {
        long x = va_arg(a->ap, long);
        VM_DEFINED(x, "argument of printf");
        v.integer = x;
        break;
    }
    case ARG_LONG_LONG: {
        long long x = va_arg(a->ap, long long);
        VM_DEFINED(x, "argument of printf");
        v.integer = x;
        break;
    }
    case ARG_SIZE: {
        size_t x = va_arg(a->ap, size_t);
        VM_DEFINED(x, "argument of printf");
        v.integer = (long long)x;
        break;
    }
    case ARG_MAX: {
        intmax_t x = va_arg(a->ap, intmax_t);
        VM_DEFINED(x, "argument of printf");
        v.integer = x;
        break;
    }
    case ARG_PTRDIFF: {
        ptrdiff_t x = va_arg(a->ap, ptrdiff_t);
        VM_DEFINED(x, "argument of printf");
        v.integer = x;
        break;
    }
    case ARG_WINT: {
        wint_t x = va_arg(a->ap, wint_t);
        VM_DEFINED(x, "argument of printf");
        v.integer = x;
        break;
    }
    case ARG_DOUBLE: {
        double x = va_arg(a->ap, double);
        VM_DEFINED(x, "argument of printf");
        v.real = x;
        break;
    }
    case ARG_LONG_DOUBLE: {
        long double x = va_arg(a->ap, long double);
        /* The x87 format has ten bytes of value in an object of 12 or 16. */
        __verify_check_defined(&x, LDBL_MANT_DIG == 64 ? 10 : sizeof x, "argument of printf");
        v.long_real = x;
        break;
    }
    case ARG_POINTER: {
        void *x = va_arg(a->ap, void *);
        VM_DEFINED(x, "argument of printf");
        v.pointer = x;
        break;
    }
    default: {
        int x = va_arg(a->ap, int);
        VM_DEFINED(x, "argument of printf");
        v.integer = x;
        break;
    }
    }
    return v;
}

static union value argument(struct arguments *a, int number, enum argument_type type)
{
    return a->numbered ? a->values[number - 1] : next_argument(a, type);
}

static enum argument_type type_of(const struct spec *s)
{
    switch (s->conversion) {
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'b': case 'B':
        switch (s->length) {
        case LENGTH_L: return ARG_LONG;
        case LENGTH_LL: case LENGTH_LONG_DOUBLE: return ARG_LONG_LONG;
        case LENGTH_Z: return ARG_SIZE;
        case LENGTH_J: return ARG_MAX;
        case LENGTH_T: return ARG_PTRDIFF;
        default: return ARG_INT;
        }
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        return s->length == LENGTH_LONG_DOUBLE ? ARG_LONG_DOUBLE : ARG_DOUBLE;
    case 'c':
        return s->length == LENGTH_L ? ARG_WINT : ARG_INT;
    case 'C':
        return ARG_WINT;
    case 's': case 'S': case 'p': case 'n':
        return ARG_POINTER;
    default:
        return ARG_UNUSED; /* %% and %m */
    }
}

/* A decimal number; -1 when it is larger than INT_MAX. */
static long parse_number(const char **at)
{
    long n = 0;
    for (; vm_isdigit((unsigned char)**at); *at += 1) {
        if (n >= 0) {
            n = n * 10 + (**at - '0');
            if (n > INT_MAX)
                n = -1;
        }
    }
    return n;
}

/* "digits$" at *at: the number, and *at behind it; else 0 and *at unchanged. */
static int parse_position(const char **at)
{
    const char *p = *at;
    if (!vm_isdigit((unsigned char)*p))
        return 0;
    long n = parse_number(&p);
    if (*p != '$')
        return 0;
    if (n < 1 || n > MOST_ARGUMENTS)
        __verify_unmodelled("printf with an argument number above 64");
    *at = p + 1;
    return (int)n;
}

/* The specification behind a %. Width and precision that are arguments are fetched by the caller. */
static struct spec parse_spec(const char **at)
{
    struct spec s = {0};
    const char *p = *at;
    s.precision = -1;
    s.value_from = parse_position(&p);
    for (;; p++) {
        if (*p == '-')
            s.left = 1;
        else if (*p == '+')
            s.plus = 1;
        else if (*p == ' ')
            s.space = 1;
        else if (*p == '#')
            s.alternate = 1;
        else if (*p == '0')
            s.zero = 1;
        else if (*p != '\'' && *p != 'I') /* grouping and locale digits: nothing in the C locale */
            break;
    }
    if (*p == '*') {
        p++;
        int from = parse_position(&p);
        s.width_from = from != 0 ? from : -1;
    } else {
        s.width = parse_number(&p);
    }
    if (*p == '.') {
        p++;
        if (*p == '*') {
            p++;
            int from = parse_position(&p);
            s.precision_from = from != 0 ? from : -1;
        } else {
            s.precision = parse_number(&p);
            if (s.precision < 0)
                s.width = -1;
        }
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
    s.conversion = *p;
    if (*p != 0)
        p++;
    *at = p;
    return s;
}

/* The format is read once for the types of its numbered arguments, then they are fetched in order. */
static void collect(struct arguments *a, const char *format)
{
    int most = 0;
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        a->types[i] = ARG_UNUSED;
    while (*format != 0) {
        if (*format++ != '%')
            continue;
        struct spec s = parse_spec(&format);
        int numbers[3] = {s.width_from, s.precision_from, s.value_from};
        for (int i = 0; i < 3; i++) {
            if (numbers[i] > 0) {
                a->types[numbers[i] - 1] = i < 2 ? ARG_INT : type_of(&s);
                if (numbers[i] > most)
                    most = numbers[i];
            }
        }
    }
    for (int i = 0; i < most; i++) {
        if (a->types[i] == ARG_UNUSED)
            __verify_fail("invalid-argument", "the printf format skips an argument number");
        a->values[i] = next_argument(a, a->types[i]);
    }
}

static int uses_numbers(const char *format)
{
    while (*format != 0) {
        if (*format++ != '%')
            continue;
        if (*format == '%') {
            format++;
            continue;
        }
        return parse_position(&format) != 0;
    }
    return 0;
}

/* sign-or-prefix, zeros, body, in a field of s->width. */
static void emit_field(struct sink *k, const struct spec *s, const char *prefix, size_t prefix_length, long zeros,
                       const char *body, size_t n, int pad_with_zeros)
{
    long padding = s->width - (long)prefix_length - zeros - (long)n;
    if (!s->left && !pad_with_zeros)
        emit_repeated(k, ' ', padding);
    emit_text(k, prefix, prefix_length);
    if (!s->left && pad_with_zeros)
        emit_repeated(k, '0', padding);
    emit_repeated(k, '0', zeros);
    emit_text(k, body, n);
    if (s->left)
        emit_repeated(k, ' ', padding);
}

static void emit_integer(struct sink *k, const struct spec *s, unsigned long long magnitude, int negative, unsigned base)
{
    const char *letters = s->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    char digits[64], prefix[3];
    size_t n = 0, prefix_length = 0;
    int is_zero = magnitude == 0;
    for (; magnitude != 0; magnitude /= base)
        digits[sizeof digits - ++n] = letters[magnitude % base];
    if (is_zero && s->precision != 0)
        digits[sizeof digits - ++n] = '0';
    long zeros = s->precision > (long)n ? s->precision - (long)n : 0;
    if (base == 8 && s->alternate && zeros == 0 && (n == 0 || digits[sizeof digits - n] != '0'))
        zeros = 1;
    int is_signed = s->conversion == 'd' || s->conversion == 'i';
    if (negative)
        prefix[prefix_length++] = '-';
    else if (s->plus && (is_signed || s->conversion == 'p'))
        prefix[prefix_length++] = '+';
    else if (s->space && (is_signed || s->conversion == 'p'))
        prefix[prefix_length++] = ' ';
    if (s->alternate && !is_zero && (base == 16 || base == 2)) {
        prefix[prefix_length++] = '0';
        prefix[prefix_length++] = s->conversion == 'p' ? 'x' : s->conversion;
    }
    emit_field(k, s, prefix, prefix_length, zeros, digits + sizeof digits - n, n, s->zero && s->precision < 0);
}

static void print_integer(struct sink *k, const struct spec *s, struct arguments *a)
{
    long long v = argument(a, s->value_from, type_of(s)).integer;
    unsigned base = 10;
    switch (s->conversion) {
    case 'o': base = 8; break;
    case 'x': case 'X': base = 16; break;
    case 'b': case 'B': base = 2; break;
    }
    if (s->conversion == 'd' || s->conversion == 'i') {
        if (s->length == LENGTH_HH)
            v = (signed char)v;
        else if (s->length == LENGTH_H)
            v = (short)v;
        else if (s->length == LENGTH_Z)
            v = sizeof(size_t) == 4 ? (int)v : v;
        emit_integer(k, s, v < 0 ? 0ULL - (unsigned long long)v : (unsigned long long)v, v < 0, base);
        return;
    }
    unsigned long long u = (unsigned long long)v;
    switch (type_of(s)) {
    case ARG_INT:
        u = s->length == LENGTH_HH ? (unsigned char)u : s->length == LENGTH_H ? (unsigned short)u : (unsigned)u;
        break;
    case ARG_LONG:
        u = (unsigned long)u;
        break;
    case ARG_SIZE: case ARG_PTRDIFF:
        u = (size_t)u;
        break;
    default:
        break;
    }
    emit_integer(k, s, u, 0, base);
}

/* The sign is ours, the digits of the absolute value come from the primitive. */
static void print_real(struct sink *k, const struct spec *s, struct arguments *a)
{
    union value v = argument(a, s->value_from, type_of(s));
    int is_long = s->length == LENGTH_LONG_DOUBLE;
    int upper = vm_isupper(s->conversion);
    int negative = is_long ? __builtin_signbit(v.long_real) != 0 : __builtin_signbit(v.real) != 0;
    int is_nan = is_long ? v.long_real != v.long_real : v.real != v.real;
    int is_infinite = is_long ? v.long_real > LDBL_MAX || v.long_real < -LDBL_MAX : v.real > DBL_MAX || v.real < -DBL_MAX;
    char prefix[3];
    size_t prefix_length = 0;
    if (negative)
        prefix[prefix_length++] = '-';
    else if (s->plus)
        prefix[prefix_length++] = '+';
    else if (s->space)
        prefix[prefix_length++] = ' ';
    if (is_nan || is_infinite) {
        const char *text = is_nan ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf");
        emit_field(k, s, prefix, prefix_length, 0, text, 3, 0);
        return;
    }
    if (negative) {
        v.real = is_long ? v.real : -v.real;
        if (is_long)
            v.long_real = -v.long_real;
    }
    char small[128], *text = small;
    int flags = s->alternate ? VERIFY_FORMAT_ALTERNATE : 0;
    int precision = (int)s->precision;
    unsigned cap = sizeof small;
    unsigned n = is_long ? __verify_float_format_l(text, cap, v.long_real, s->conversion, flags, 0, precision)
                         : __verify_float_format(text, cap, v.real, s->conversion, flags, 0, precision);
    if (n > cap) {
        cap = n;
        text = __verify_alloc(cap, 1, VERIFY_FAMILY_MALLOC);
        n = is_long ? __verify_float_format_l(text, cap, v.long_real, s->conversion, flags, 0, precision)
                    : __verify_float_format(text, cap, v.real, s->conversion, flags, 0, precision);
    }
    size_t skip = 0;
    if (s->conversion == 'a' || s->conversion == 'A') {
        /* Zeros of a padded field stand behind 0x. */
        prefix[prefix_length++] = text[0];
        prefix[prefix_length++] = text[1];
        skip = 2;
    }
    emit_field(k, s, prefix, prefix_length, 0, text + skip, n - skip, s->zero);
    if (text != small)
        __verify_free(text, VERIFY_FAMILY_MALLOC);
}

/* Wide characters in the C locale: only those below 128 have a multibyte form. */
static int narrow(struct sink *k, wint_t c, char *out)
{
    if (c >= 128) {
        errno = EILSEQ;
        k->failed = 1;
        return 0;
    }
    *out = (char)c;
    return 1;
}

static void print_string(struct sink *k, const struct spec *s, struct arguments *a)
{
    const char *text = argument(a, s->value_from, ARG_POINTER).pointer;
    if (text == NULL) {
        if (k->text_alone)
            __verify_unmodelled("a null pointer printed by %s alone");
        size_t n = s->precision < 0 || s->precision >= 6 ? 6 : 0;
        emit_field(k, s, "", 0, 0, "(null)", n, 0);
    } else if (s->length == LENGTH_L || s->conversion == 'S') {
        const wchar_t *wide = (const wchar_t *)text;
        size_t n = 0;
        while ((s->precision < 0 || (long)n < s->precision) && wide[n] != 0)
            n++;
        long padding = s->width - (long)n;
        if (!s->left)
            emit_repeated(k, ' ', padding);
        for (size_t i = 0; i < n; i++) {
            char c;
            if (!narrow(k, (wint_t)wide[i], &c))
                return;
            emit(k, c);
        }
        if (s->left)
            emit_repeated(k, ' ', padding);
    } else {
        size_t n = s->precision < 0 ? vm_strlen(text) : vm_strnlen(text, (size_t)s->precision);
        emit_field(k, s, "", 0, 0, text, n, 0);
    }
}

/* %n. The points-to facts know this function, and the parameter `format` of `format_all`, by their names. */
static void print_count(const struct sink *k, const struct spec *s, struct arguments *a)
{
    void *p = argument(a, s->value_from, ARG_POINTER).pointer;
    switch (s->length) {
    case LENGTH_HH: *(signed char *)p = (signed char)k->total; break;
    case LENGTH_H: *(short *)p = (short)k->total; break;
    case LENGTH_L: *(long *)p = (long)k->total; break;
    case LENGTH_LL: case LENGTH_LONG_DOUBLE: *(long long *)p = (long long)k->total; break;
    case LENGTH_Z: *(size_t *)p = k->total; break;
    case LENGTH_J: *(intmax_t *)p = (intmax_t)k->total; break;
    case LENGTH_T: *(ptrdiff_t *)p = (ptrdiff_t)k->total; break;
    default: *(int *)p = (int)k->total; break;
    }
}

static void print_one(struct sink *k, struct spec *s, struct arguments *a, int saved_errno)
{
    switch (s->conversion) {
    case '%':
        emit(k, '%');
        break;
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'b': case 'B':
        print_integer(k, s, a);
        break;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        print_real(k, s, a);
        break;
    case 'c': case 'C': {
        long long v = argument(a, s->value_from, type_of(s)).integer;
        char c = (char)v;
        if (type_of(s) == ARG_WINT && !narrow(k, (wint_t)v, &c))
            break;
        emit_field(k, s, "", 0, 0, &c, 1, 0);
        break;
    }
    case 's': case 'S':
        print_string(k, s, a);
        break;
    case 'p': {
        void *p = argument(a, s->value_from, ARG_POINTER).pointer;
        if (p == NULL) {
            s->precision = -1;
            emit_field(k, s, "", 0, 0, "(nil)", 5, 0);
        } else {
            s->alternate = 1;
            emit_integer(k, s, (unsigned long long)(uintptr_t)p, 0, 16);
        }
        break;
    }
    case 'n':
        print_count(k, s, a);
        break;
    case 'm': {
        /* %#m is the name of the number. */
        const char *text = s->alternate ? __verify_lib_error_name(saved_errno) : __verify_lib_strerror(saved_errno);
        if (text == NULL)
            __verify_unmodelled("%m with an unknown error number");
        size_t n = s->precision < 0 ? vm_strlen(text) : vm_strnlen(text, (size_t)s->precision);
        emit_field(k, s, "", 0, 0, text, n, 0);
        break;
    }
    case 0:
        __verify_fail("invalid-argument", "the printf format ends within a conversion");
    default:
        __verify_fail("invalid-argument", "unknown conversion in a printf format");
    }
}

/* Everything; the number of characters, or -1 with errno. */
static int format_all(struct sink *k, const char *format, va_list ap)
{
    struct arguments a;
    int saved_errno = errno;
    va_copy(a.ap, ap);
    a.numbered = uses_numbers(format);
    if (a.numbered)
        collect(&a, format);
    int result = 0;
    /* Compilers make `puts`, `fputs` and `strcpy` of these. */
    k->text_alone = format[0] == '%' && format[1] == 's' && (format[2] == 0 || (format[2] == '\n' && format[3] == 0));
    while (*format != 0 && !k->failed) {
        if (*format != '%') {
            emit(k, *format++);
            continue;
        }
        format++;
        struct spec s = parse_spec(&format);
        if (s.width_from != 0)
            s.width = (long)(int)argument(&a, s.width_from, ARG_INT).integer;
        else if (s.width < 0)
            result = -1;
        if (s.width_from != 0 && s.width < 0) {
            s.left = 1;
            s.width = -s.width;
        }
        if (s.precision_from != 0) {
            s.precision = (long)(int)argument(&a, s.precision_from, ARG_INT).integer;
            if (s.precision < 0)
                s.precision = -1;
        }
        if (s.width > INT_MAX || result < 0) {
            errno = EOVERFLOW;
            result = -1;
            break;
        }
        print_one(k, &s, &a, saved_errno);
        if (k->total > INT_MAX) {
            errno = EOVERFLOW;
            result = -1;
            break;
        }
    }
    va_end(a.ap);
    if (k->stream != NULL)
        sink_flush(k);
    if (k->failed || result < 0)
        return -1;
    return (int)k->total;
}

int __verify_lib_vfprintf(FILE *f, const char *format, va_list ap)
{
    struct sink k;
    k.stream = stream_of(f);
    k.total = 0;
    k.chunk_used = 0;
    k.failed = 0;
    /* A stream that cannot be written to fails also when the format prints nothing. */
    if (f->_flags & STREAM_NO_WRITES) {
        f->_flags |= STREAM_ERROR;
        errno = EBADF;
        return -1;
    }
    if (!stream_is_bytes(k.stream))
        return -1;
    return format_all(&k, format, ap);
}

static int format_memory(char *out, size_t size, size_t bound, const char *what, const char *format, va_list ap)
{
    struct sink k;
    k.stream = NULL;
    k.out = out;
    k.room = size > 0 ? size - 1 : 0;
    k.bound = bound;
    k.bound_message = what;
    k.total = 0;
    k.failed = 0;
    if (bound == 0)
        __verify_fail("out-of-bounds-write", what);
    int n = format_all(&k, format, ap);
    if (size > 0)
        out[k.total < k.room ? k.total : k.room] = 0;
    return n;
}

int __verify_lib_vsnprintf(char *out, size_t size, const char *format, va_list ap)
{
    return format_memory(out, size, SIZE_MAX, NULL, format, ap);
}

int __verify_lib_vsprintf_bounded(char *out, size_t have, const char *format, va_list ap, const char *what)
{
    return format_memory(out, SIZE_MAX, have, what, format, ap);
}

int __verify_lib_vasprintf(char **out, const char *format, va_list ap)
{
    extern void *malloc(size_t);
    va_list again;
    va_copy(again, ap);
    int n = format_memory(NULL, 0, SIZE_MAX, NULL, format, again);
    va_end(again);
    if (n < 0)
        return -1;
    char *text = malloc((size_t)n + 1);
    if (text == NULL)
        return -1;
    format_memory(text, (size_t)n + 1, SIZE_MAX, NULL, format, ap);
    *out = text;
    return n;
}

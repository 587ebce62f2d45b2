/* The printf family against the host: generated formats over all flags, widths, precisions, lengths and conversions. */
#include "native.h"
#include <limits.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <wchar.h>

MODEL(snprintf); MODEL(sprintf); MODEL(asprintf); MODEL(vsnprintf); MODEL(free);
extern int vm___sprintf_chk(char *, int, size_t, const char *, ...);
extern int vm___snprintf_chk(char *, size_t, int, size_t, const char *, ...);

static char x[6000], y[6000];

static void both(const char *format, ...)
{
    va_list ap;
    unsigned size = below(4) == 0 ? below(12) : sizeof x;
    memset(x, '~', sizeof x);
    memset(y, '~', sizeof y);
    errno = vm_errno = 5;
    va_start(ap, format);
    int n = vsnprintf(x, size, format, ap);
    va_end(ap);
    va_start(ap, format);
    int m = vm_vsnprintf(y, size, format, ap);
    va_end(ap);
    CHECK(n == m && memcmp(x, y, sizeof x) == 0 && (n >= 0 || errno == vm_errno), "\"%s\" size %u: %d \"%.80s\", model %d \"%.80s\"",
          format, size, n, x, m, y);
}

static const long long integers[] = {0, 1, -1, 7, 8, 10, -10, 255, 256, 32767, 32768, -32768, 65535, 65536, INT_MAX, INT_MIN,
                                     UINT_MAX, LLONG_MAX, LLONG_MIN, 1234567890123456789, -987654321};
static const double reals[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 9.5, 99.95, 999999.5, 1e5, 1e6, 123456.0, 1234567.0, 1e-4, 1e-5,
                               3.14159265358979, -2.71828, 1e100, 1e-100, DBL_MAX, DBL_MIN, 4.9e-324, 1e15, 1e16, 1e17, 0.1, 1.0 / 3,
                               INFINITY, -INFINITY, 123456789.125, 0.000123456789, 6.02214076e23};

static void spec(char *out, const char *conversions, const char *const *lengths, unsigned lengths_n, int *stars)
{
    char *p = out;
    *stars = 0;
    *p++ = '%';
    for (unsigned i = below(4); i > 0; i--)
        *p++ = "-+ #0'"[below(6)];
    switch (below(4)) {
    case 0: *p++ = '*'; *stars |= 1; break;
    case 1: p += sprintf(p, "%u", below(30)); break;
    }
    switch (below(5)) {
    case 0: *p++ = '.'; *p++ = '*'; *stars |= 2; break;
    case 1: *p++ = '.'; break;
    case 2: case 3: p += sprintf(p, ".%u", below(25)); break;
    }
    p += sprintf(p, "%s", lengths[below(lengths_n)]);
    *p++ = conversions[below((unsigned)strlen(conversions))];
    strcpy(p, "|");
}

#define CALL(value)                                                                                                   \
    do {                                                                                                              \
        int w_ = (int)below(40) - 20, p_ = (int)below(30) - 5;                                                        \
        if (stars == 0) both(format, value, 1, 2);                                                                    \
        else if (stars == 1) both(format, w_, value, 1);                                                              \
        else if (stars == 2) both(format, p_, value, 1);                                                              \
        else both(format, w_, p_, value);                                                                             \
    } while (0)

static void fortified(void)
{
    char buffer[8];
    CHECK(vm___sprintf_chk(buffer, 1, 8, "%s", "1234567") == 7, "sprintf_chk");
    ENDS("out-of-bounds-write", vm___sprintf_chk(buffer, 1, 8, "%s", "12345678"));
    ENDS("out-of-bounds-write", vm___snprintf_chk(buffer, 9, 1, 8, "%s", "1"));
    ENDS("invalid-argument", vm_snprintf(buffer, 8, "%y", 1));
    ENDS("invalid-argument", vm_snprintf(buffer, 8, "100%"));
}

void test_printf(void)
{
    static const char *const integer_lengths[] = {"", "", "", "hh", "h", "l", "ll", "z", "j", "t", "q"};
    static const char *const real_lengths[] = {"", "l"};
    static const char *const long_lengths[] = {"L"};
    static const char *const none[] = {""};
    char format[64];
    int stars;
    for (int i = 0; i < 20000; i++) {
        long long v = below(3) ? integers[below(sizeof integers / sizeof *integers)] : (long long)(rnd() >> below(64));
        spec(format, "diouxXbB", integer_lengths, 11, &stars);
        CALL(v);
    }
    for (int i = 0; i < 12000; i++) {
        double v = below(3) ? reals[below(sizeof reals / sizeof *reals)] : (double)(long long)rnd() / (double)(1ull << below(64));
        spec(format, "eEfFgGaA", real_lengths, 2, &stars);
        CALL(v);
    }
    for (int i = 0; i < 6000; i++) {
        long double v = reals[below(sizeof reals / sizeof *reals)] * (below(2) ? 1.0L : 1.2345678901234567890L);
        if (below(20) == 0)
            v = below(2) ? LDBL_MAX : LDBL_MIN;
        spec(format, "eEfFgGaA", long_lengths, 1, &stars);
        CALL(v);
    }
    for (int i = 0; i < 4000; i++) {
        static const char *const texts[] = {"", "a", "hello", "a longer text with spaces in it", "\xff\xfe", NULL};
        const char *v = texts[below(6)];
        spec(format, "s", none, 1, &stars);
        CALL(v);
        int c = (int)below(256);
        spec(format, "c", none, 1, &stars);
        CALL(c);
        void *p = below(4) ? (void *)(uintptr_t)(rnd() >> below(64)) : NULL;
        spec(format, "p", none, 1, &stars);
        CALL(p);
        spec(format, "m", none, 1, &stars);
        CALL(1);
        const wchar_t *w = L"wide text";
        spec(format, "sS", (const char *const[]){"l"}, 1, &stars);
        CALL(w);
        spec(format, "c", (const char *const[]){"l"}, 1, &stars);
        CALL((wint_t)('a' + below(20)));
    }
    both("plain");
    both("");
    both("%%|%5%|%-5%|%d", 7);
    both("%d %s %c %5.2f %x", 42, "str", 'c', 3.14159, 255);
    both("%2$s %1$d %2$s", 5, "two");
    both("%1$d %1$x %1$o %2$*3$d|%2$-*3$.*1$d|", 3, 77, 10);
    both("%3$s %1$lld %2$Lf", 1ll << 40, 1.5L, "s");
    both("%.1000f", 1.0 / 3);
    both("%1000d|%-1000d|%01000d", 1, 2, 3);
    both("%.2000d", 5);
    both("%f %Lf", DBL_MAX, (long double)DBL_MAX);
    both("%.0f %.0f %.0f %.0f", 0.5, 1.5, 2.5, 3.5);
    both("%g %g %g %#g", 100000.0, 1000000.0, 0.0001, 1.0);
    both("%99999999999d", 1);
    both("%.99999999999d", 1);
    both("%ls", L"\x80");
    both("%f %f %e %G", NAN, -NAN, NAN, NAN);
    both("%010f|%-10f|%+10f|%010F", INFINITY, INFINITY, INFINITY, -INFINITY);
    long a = 0, b = 0;
    short h1 = 0, h2 = 0;
    signed char c1 = 0, c2 = 0;
    int n = snprintf(x, 100, "abc%ln %d%hn%5s%hhn", &a, 12, &h1, "z", &c1);
    int m = vm_snprintf(y, 100, "abc%ln %d%hn%5s%hhn", &b, 12, &h2, "z", &c2);
    CHECK(n == m && a == b && h1 == h2 && c1 == c2 && strcmp(x, y) == 0, "%%n");
    char *p = NULL;
    CHECK(vm_asprintf(&p, "%s-%d", "text", 9) == 6 && strcmp(p, "text-9") == 0, "asprintf");
    vm_free(p);
    CHECK(vm_sprintf(y, "%05d", 42) == 5 && strcmp(y, "00042") == 0, "sprintf");
    fortified();
}

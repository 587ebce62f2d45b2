/* Math, time, wide characters, getopt, environment, signals, allocation against the host. */
#include "native.h"
#include <ctype.h>
#include <fenv.h>
#include <arpa/inet.h>
#include <float.h>
#include <fnmatch.h>
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

static const double reals[] = {0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, 10, 100, 1e5, -1e5, 710, -745, 1000, -1000, 1e15, 1e16, 9e18, 1e19,
                               -1e19, 1e300, -1e300, 1e-300, DBL_MAX, DBL_MIN, 4.9e-324, -4.9e-324, INFINITY, -INFINITY, 0.1, 3.7, -3.7, 170.5,
                               0.9999999999999999, 4503599627370495.5, 4503599627370497.5, 16777217, 2147483648.0};
#define REALS (sizeof reals / sizeof *reals)

static double pick(void)
{
    if (below(3) != 0)
        return reals[below(REALS)];
    return (double)(long long)rnd() / (double)(1ull << below(64)) * (below(2) ? 1 : 1e-18);
}

/* AddressSanitizer is no party here, but gcc folds; the volatile argument keeps the call. */
#define MATH1(f)                                                                                                      \
    do {                                                                                                              \
        MODEL(f);                                                                                                     \
        for (int i = 0; i < 300; i++) {                                                                               \
            volatile double a = pick();                                                                               \
            errno = vm_errno = 0;                                                                                     \
            double x = f(a), y = vm_##f(a);                                                                           \
            CHECK((memcmp(&x, &y, 8) == 0 || (x != x && y != y)) && errno == vm_errno, #f "(%a): %a %a, errno %d %d", a, x, y, errno, \
                  vm_errno);                                                                                          \
        }                                                                                                             \
    } while (0)
#define MATH1F(f)                                                                                                     \
    do {                                                                                                              \
        MODEL(f);                                                                                                     \
        for (int i = 0; i < 300; i++) {                                                                               \
            volatile float a = (float)pick();                                                                         \
            float x = f(a), y = vm_##f(a);                                                                            \
            CHECK(memcmp(&x, &y, 4) == 0 || (x != x && y != y) || fabsf(x - y) <= fabsf(x) * FLT_EPSILON * 2, #f "(%a): %a %a", a, x, y); \
        }                                                                                                             \
    } while (0)
#define EXACT1L(f)                                                                                                    \
    do {                                                                                                              \
        MODEL(f);                                                                                                     \
        for (int i = 0; i < 300; i++) {                                                                               \
            volatile long double a = pick() * 1.0000000000000000123L;                                                 \
            long double x = f(a), y = vm_##f(a);                                                                      \
            CHECK(memcmp(&x, &y, 10) == 0 || (x != x && y != y), #f "(%La): %La %La", a, x, y);                       \
        }                                                                                                             \
    } while (0)
#define MATH2(f)                                                                                                      \
    do {                                                                                                              \
        MODEL(f);                                                                                                     \
        for (int i = 0; i < 1000; i++) {                                                                              \
            volatile double a = pick(), b = pick();                                                                   \
            errno = vm_errno = 0;                                                                                     \
            double x = f(a, b), y = vm_##f(a, b);                                                                     \
            CHECK((memcmp(&x, &y, 8) == 0 || (x != x && y != y)) && errno == vm_errno, #f "(%a, %a): %a %a, errno %d %d", a, b, x, y, \
                  errno, vm_errno);                                                                                   \
        }                                                                                                             \
    } while (0)
#define TO_INT(f)                                                                                                     \
    do {                                                                                                              \
        MODEL(f);                                                                                                     \
        for (int i = 0; i < 300; i++) {                                                                               \
            volatile double a = pick();                                                                               \
            CHECK((long long)f(a) == (long long)vm_##f(a), #f "(%a)", a);                                             \
        }                                                                                                             \
    } while (0)

static void maths(void)
{
    MATH1(sin); MATH1(cos); MATH1(tan); MATH1(asin); MATH1(acos); MATH1(atan); MATH1(sinh); MATH1(cosh); MATH1(tanh); MATH1(asinh);
    MATH1(acosh); MATH1(atanh); MATH1(exp); MATH1(exp2); MATH1(expm1); MATH1(log); MATH1(log2); MATH1(log10); MATH1(log1p); MATH1(cbrt);
    MATH1(tgamma); MATH1(lgamma); MATH1(erf); MATH1(erfc); MATH1(sqrt);
    MATH1(fabs); MATH1(floor); MATH1(ceil); MATH1(trunc); MATH1(round); MATH1(rint); MATH1(nearbyint); MATH1(roundeven); MATH1(logb);
    MATH1(significand);
    MATH1F(sinf); MATH1F(cosf); MATH1F(tanf); MATH1F(expf); MATH1F(logf); MATH1F(sqrtf); MATH1F(floorf); MATH1F(roundf); MATH1F(cbrtf);
    MATH2(pow); MATH2(atan2); MATH2(fmod); MATH2(hypot); MATH2(remainder); MATH2(fdim); MATH2(fmin); MATH2(fmax); MATH2(copysign);
    MATH2(nextafter);
    EXACT1L(sqrtl); EXACT1L(floorl); EXACT1L(ceill); EXACT1L(roundl); EXACT1L(truncl); EXACT1L(rintl); EXACT1L(fabsl); EXACT1L(logbl);
    TO_INT(lround); TO_INT(llround); TO_INT(lrint); TO_INT(llrint); TO_INT(ilogb); TO_INT(__fpclassify); TO_INT(__isinf); TO_INT(__isnan);
    TO_INT(__finite);
    MODEL(ldexp); MODEL(ldexpf); MODEL(ldexpl); MODEL(scalbln); MODEL(frexp); MODEL(frexpl); MODEL(frexpf); MODEL(modf); MODEL(remquo);
    MODEL(fmodl); MODEL(fmodf); MODEL(modfl); MODEL(remainderl); MODEL(lgamma_r);
    for (int i = 0; i < 4000; i++) {
        volatile double a = pick(), b = pick();
        int n = below(2) ? (int)below(4400) - 2200 : (int)below(40) - 20, e1 = 0, e2 = 0, q1 = 0, q2 = 0;
        errno = vm_errno = 0;
        double x = ldexp(a, n), y = vm_ldexp(a, n);
        CHECK(memcmp(&x, &y, 8) == 0 && errno == vm_errno, "ldexp(%a, %d): %a %a, errno %d %d", a, n, x, y, errno, vm_errno);
        volatile float fa = (float)a;
        float fx = ldexpf(fa, n), fy = vm_ldexpf(fa, n);
        CHECK(memcmp(&fx, &fy, 4) == 0, "ldexpf(%a, %d): %a %a", fa, n, fx, fy);
        volatile long double la = a * 1.0000000000000000123L, lb = b;
        int ln = below(2) ? n : (int)below(70000) - 35000;
        long double lx = ldexpl(la, ln), ly = vm_ldexpl(la, ln);
        CHECK(memcmp(&lx, &ly, 10) == 0, "ldexpl(%La, %d): %La %La", la, ln, lx, ly);
        x = frexp(a, &e1);
        y = vm_frexp(a, &e2);
        CHECK(memcmp(&x, &y, 8) == 0 && (e1 == e2 || x != x || isinf(x)), "frexp(%a)", a);
        lx = frexpl(la, &e1);
        ly = vm_frexpl(la, &e2);
        CHECK(memcmp(&lx, &ly, 10) == 0 && (e1 == e2 || isinf(lx)), "frexpl(%La): %La %d, %La %d", la, lx, e1, ly, e2);
        double w1, w2;
        x = modf(a, &w1);
        y = vm_modf(a, &w2);
        CHECK(memcmp(&x, &y, 8) == 0 && memcmp(&w1, &w2, 8) == 0, "modf(%a)", a);
        x = remquo(a, b, &q1);
        y = vm_remquo(a, b, &q2);
        CHECK((x != x && y != y) || (memcmp(&x, &y, 8) == 0 && q1 == q2), "remquo(%a, %a): %a %d, %a %d", a, b, x, q1, y, q2);
        lx = fmodl(la, lb);
        ly = vm_fmodl(la, lb);
        CHECK((lx != lx && ly != ly) || memcmp(&lx, &ly, 10) == 0, "fmodl(%La, %La): %La %La", la, lb, lx, ly);
        lx = remainderl(la, lb);
        ly = vm_remainderl(la, lb);
        CHECK((lx != lx && ly != ly) || memcmp(&lx, &ly, 10) == 0, "remainderl(%La, %La): %La %La", la, lb, lx, ly);
        x = lgamma_r(a, &q1);
        y = vm_lgamma_r(a, &q2);
        CHECK(x != x || q1 == q2, "lgamma_r(%a): sign %d %d", a, q1, q2);
    }
}

static void times(void)
{
    MODEL(gmtime_r); MODEL(timegm); MODEL(mktime); MODEL(strftime); MODEL(asctime_r); MODEL(localtime_r); MODEL(ctime_r);
    static const char *const formats[] = {"%Y-%m-%d %H:%M:%S", "%a %A %b %B %c", "%C %y %e %I %j %k %l", "%p %P %r %R %s %T %u %U", "%V %G %g %w %W %x %X %z %Z %%",
                                          "%D %F %h %n %t", "%-d %_d %0e %-H %^a %#p %#Z %^B %_m %-j"};
    for (int i = 0; i < 4000; i++) {
        time_t t = i % 3 ? (time_t)(rnd() % 8000000000ull) - 2000000000 : (time_t)(rnd() >> below(60)) % 60000000000000000;
        if (i < 64)
            t = (time_t)((i & 1 ? (uint64_t)LONG_MAX : (uint64_t)LONG_MIN) + (i & 1 ? -(uint64_t)(i / 2) * 9973 : (uint64_t)(i / 2) * 9973));
        struct tm a, b;
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        struct tm *p = gmtime_r(&t, &a), *q = vm_gmtime_r(&t, &b);
        CHECK((p == NULL) == (q == NULL), "gmtime(%ld)", t);
        if (p == NULL)
            continue;
        CHECK(a.tm_sec == b.tm_sec && a.tm_min == b.tm_min && a.tm_hour == b.tm_hour && a.tm_mday == b.tm_mday && a.tm_mon == b.tm_mon
                  && a.tm_year == b.tm_year && a.tm_wday == b.tm_wday && a.tm_yday == b.tm_yday && strcmp(a.tm_zone, b.tm_zone) == 0,
              "gmtime(%ld): %s", t, asctime(&b));
        char x[300], y[300];
        const char *format = formats[below(7)];
        size_t size = below(5) ? sizeof x : below(30), n = strftime(x, size, format, &a), m = vm_strftime(y, size, format, &b);
        CHECK(n == m && (n == 0 || strcmp(x, y) == 0), "strftime(\"%s\") %ld: \"%s\" \"%s\"", format, t, x, y);
        if (a.tm_year < 8000 && a.tm_year > -2000) {
            asctime_r(&a, x);
            vm_asctime_r(&b, y);
            CHECK(strcmp(x, y) == 0, "asctime: %s %s", x, y);
        }
        a.tm_mon += (int)below(50) - 25;
        a.tm_mday += (int)below(800) - 400;
        a.tm_sec += (int)below(100000) - 50000;
        a.tm_isdst = 0;
        b = a;
        time_t s = mktime(&a), u = vm_mktime(&b);
        CHECK(s == u && a.tm_mday == b.tm_mday && a.tm_mon == b.tm_mon && a.tm_yday == b.tm_yday, "mktime: %ld %ld", s, u);
    }
}

extern int vm_optind, vm_opterr, vm_optopt;
extern char *vm_optarg;

static void options(void)
{
    MODEL(getopt); MODEL(getopt_long); MODEL(getopt_long_only);
    static const char *const words[] = {"-a", "-b", "-bx", "-c", "-cval", "-abc", "--", "plain", "-", "--long", "--lo", "--value=3", "--value", "--val",
                                        "--opt=z", "--opt", "-q", "--unknown", "--flag", "--flag=x", "word", "-d", "-dz", "-long", "-v"};
    static const char *const specs[] = {"ab:c::d", "+ab:c::d", "-ab:c::d", ":ab:c::d", "+:ab:c:", ""};
    int flag1 = 0, flag2 = 0;
    for (int i = 0; i < 4000; i++) {
        int n = 1 + (int)below(6);
        char *x[8] = {"prog"}, *y[8] = {"prog"};
        for (int k = 1; k <= n; k++)
            x[k] = y[k] = (char *)words[below(25)];
        x[n + 1] = y[n + 1] = NULL;
        const char *spec = specs[below(6)];
        struct option l1[] = {{"long", 0, NULL, 'L'}, {"value", 1, NULL, 'V'}, {"opt", 2, NULL, 'O'}, {"flag", 0, &flag1, 9}, {"verbose", 0, NULL, 'v'}, {0}};
        struct option l2[] = {{"long", 0, NULL, 'L'}, {"value", 1, NULL, 'V'}, {"opt", 2, NULL, 'O'}, {"flag", 0, &flag2, 9}, {"verbose", 0, NULL, 'v'}, {0}};
        optind = vm_optind = 0;
        opterr = vm_opterr = 0;
        int kind = (int)below(3);
        for (int k = 0; k < 30; k++) {
            int i1 = -5, i2 = -5;
            flag1 = flag2 = 0;
            optopt = vm_optopt = '?';
            int r = kind == 0 ? getopt(n + 1, x, spec) : kind == 1 ? getopt_long(n + 1, x, spec, l1, &i1) : getopt_long_only(n + 1, x, spec, l1, &i1);
            int s = kind == 0 ? vm_getopt(n + 1, y, spec) : kind == 1 ? vm_getopt_long(n + 1, y, spec, l2, &i2)
                                                                      : vm_getopt_long_only(n + 1, y, spec, l2, &i2);
            CHECK(r == s && optind == vm_optind && optarg == vm_optarg && optopt == vm_optopt && i1 == i2 && flag1 == flag2
                      && memcmp(x, y, sizeof x) == 0,
                  "getopt %d \"%s\" %s %s %s %s: %d %d, optind %d %d, optopt %d %d", kind, spec, y[1], y[2] ? y[2] : "", y[2] && y[3] ? y[3] : "",
                  y[2] && y[3] && y[4] ? y[4] : "", r, s, optind, vm_optind, optopt, vm_optopt);
            if (r == -1 || r != s)
                break;
        }
    }
}

static int handled;
static void handler(int n) { handled = n; }

static void process(void)
{
    MODEL(getenv); MODEL(setenv); MODEL(unsetenv); MODEL(putenv); MODEL(raise); MODEL(signal); MODEL(sigaction); MODEL(sigprocmask);
    MODEL(sigemptyset); MODEL(sigaddset); MODEL(sigismember); MODEL(abort); MODEL(sigfillset);
    extern void vm___assert_fail(const char *, const char *, unsigned, const char *);
    setenv("MODEL_TEST", "host", 1);
    CHECK(strcmp(vm_getenv("MODEL_TEST"), "host") == 0 && vm_getenv("MODEL_NONE") == NULL, "getenv");
    CHECK(vm_setenv("MODEL_TEST", "mine", 0) == 0 && strcmp(vm_getenv("MODEL_TEST"), "host") == 0, "setenv without overwriting");
    CHECK(vm_setenv("MODEL_TEST", "mine", 1) == 0 && strcmp(vm_getenv("MODEL_TEST"), "mine") == 0, "setenv");
    CHECK(vm_unsetenv("MODEL_TEST") == 0 && vm_getenv("MODEL_TEST") == NULL, "unsetenv");
    CHECK(vm_putenv("MODEL_TEST=put") == 0 && strcmp(vm_getenv("MODEL_TEST"), "put") == 0, "putenv");
    CHECK(vm_setenv("A=B", "x", 1) == -1 && vm_errno == EINVAL, "setenv of a bad name");
    vm_signal(SIGUSR1, handler);
    CHECK(vm_raise(SIGUSR1) == 0 && handled == SIGUSR1, "raise");
    sigset_t set;
    vm_sigemptyset(&set);
    vm_sigaddset(&set, SIGUSR1);
    CHECK(vm_sigismember(&set, SIGUSR1) == 1 && vm_sigismember(&set, SIGUSR2) == 0 && sigismember(&set, SIGUSR1) == 1, "sigset");
    handled = 0;
    vm_sigprocmask(SIG_BLOCK, &set, NULL);
    vm_raise(SIGUSR1);
    CHECK(handled == 0, "a blocked signal waits");
    vm_sigprocmask(SIG_UNBLOCK, &set, NULL);
    CHECK(handled == SIGUSR1, "an unblocked signal comes");
    sigset_t full;
    sigfillset(&full);
    vm_sigfillset(&set);
    for (int i = 1; i < 65; i++)
        CHECK(sigismember(&full, i) == vm_sigismember(&set, i), "sigfillset %d", i);
    ENDS("abort", vm_abort());
    vm_signal(SIGTERM, SIG_DFL);
    ENDS("exit", vm_raise(SIGTERM));
    ENDS("assertion: x > 0", vm___assert_fail("x > 0", "f.c", 1, "f"));
}

static void allocation(void)
{
    MODEL(malloc); MODEL(calloc); MODEL(realloc); MODEL(free); MODEL(reallocarray); MODEL(aligned_alloc); MODEL(posix_memalign);
    MODEL(malloc_usable_size); MODEL(mmap); MODEL(munmap); MODEL(stat); MODEL(access);
    char *p = vm_calloc(7, 3);
    for (int i = 0; i < 21; i++)
        CHECK(p[i] == 0, "calloc");
    memset(p, 'x', 21);
    p = vm_realloc(p, 40);
    CHECK(p[20] == 'x' && vm_malloc_usable_size(p) == 40, "realloc");
    native_failures = 1;
    vm_errno = 0;
    CHECK(vm_realloc(p, 50) == NULL && vm_errno == ENOMEM && p[20] == 'x', "a failing realloc leaves the object");
    CHECK(vm_malloc(1) == NULL && vm_errno == ENOMEM, "a failing malloc");
    native_failures = 0;
    CHECK(vm_reallocarray(p, SIZE_MAX / 2, 3) == NULL && vm_errno == ENOMEM, "reallocarray overflow");
    CHECK(vm_realloc(p, 0) == NULL, "realloc to 0 frees");
    CHECK(vm_calloc(SIZE_MAX, 2) == NULL, "calloc overflow");
    p = vm_aligned_alloc(256, 10);
    CHECK((uintptr_t)p % 256 == 0, "aligned_alloc");
    vm_free(p);
    void *q = NULL;
    CHECK(vm_posix_memalign(&q, 24, 1) == EINVAL && vm_posix_memalign(&q, 64, 1) == 0 && (uintptr_t)q % 64 == 0, "posix_memalign");
    vm_free(q);
    vm_free(NULL);
    q = vm_mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(q != MAP_FAILED && ((char *)q)[8191] == 0 && vm_munmap(q, 5000) == 0, "mmap");
    struct stat a, b;
    CHECK(stat("/", &a) == vm_stat("/", &b) && a.st_mode == b.st_mode && vm_stat("/nothing/here", &b) == -1 && vm_errno == ENOENT, "stat");
    CHECK(vm_access("/", F_OK) == 0, "access");
}

static void wide(void)
{
    MODEL(mbstowcs); MODEL(wcstombs); MODEL(mbrtowc); MODEL(wcscmp); MODEL(wcsstr); MODEL(wcstok); MODEL(wcstol); MODEL(wcstod); MODEL(towupper);
    MODEL(btowc); MODEL(wctob); MODEL(mblen); MODEL(mbtowc); MODEL(wctomb); MODEL(wcrtomb); MODEL(wcslen);
    MODEL(iswalpha); MODEL(iswpunct); MODEL(iswprint); MODEL(iswcntrl); MODEL(iswspace); MODEL(iswxdigit); MODEL(iswgraph); MODEL(iswalnum);
    for (wint_t c = 0; c < 300; c++) {
#define WCLASS(f) CHECK(!f(c) == !vm_##f(c), #f "(%u)", c)
        WCLASS(iswalpha); WCLASS(iswpunct); WCLASS(iswprint); WCLASS(iswcntrl); WCLASS(iswspace); WCLASS(iswxdigit); WCLASS(iswgraph);
        WCLASS(iswalnum);
        CHECK(towupper(c) == vm_towupper(c) && btowc((int)c) == vm_btowc((int)c) && wctob(c) == vm_wctob(c), "towupper(%u)", c);
        char s[2] = {(char)c, 0}, o1[8] = "", o2[8] = "";
        wchar_t w1 = 7, w2 = 7;
        CHECK(mbtowc(&w1, s, 1) == vm_mbtowc(&w2, s, 1) && w1 == w2 && mblen(s, 1) == vm_mblen(s, 1), "mbtowc(%u): %d %d", c, (int)w1, (int)w2);
        CHECK(mbrtowc(&w1, s, 1, NULL) == vm_mbrtowc(&w2, s, 1, NULL) && w1 == w2, "mbrtowc(%u)", c);
        CHECK(wctomb(o1, (wchar_t)c) == vm_wctomb(o2, (wchar_t)c) && o1[0] == o2[0], "wctomb(%u)", c);
    }
    wchar_t a[20], b[20], *e, *f;
    wmemset(a, 9, 20);
    wmemset(b, 9, 20);
    CHECK(mbstowcs(a, "some text", 20) == vm_mbstowcs(b, "some text", 20) && wmemcmp(a, b, 20) == 0, "mbstowcs");
    CHECK(mbstowcs(a, "some text", 4) == vm_mbstowcs(b, "some text", 4) && wmemcmp(a, b, 20) == 0, "mbstowcs bounded");
    CHECK(mbstowcs(NULL, "some text", 0) == vm_mbstowcs(NULL, "some text", 0), "mbstowcs length");
    CHECK(wcstol(L"  -0x1fz", &e, 0) == vm_wcstol(L"  -0x1fz", &f, 0) && *e == 'z' && *f == 'z', "wcstol");
    CHECK(wcstod(L" 1.5e3q", &e) == vm_wcstod(L" 1.5e3q", &f) && *e == 'q' && *f == 'q', "wcstod");
}

static void wide_streams(void)
{
    MODEL(swprintf); MODEL(fopen); MODEL(fclose); MODEL(fwprintf); MODEL(fputws); MODEL(fgetws); MODEL(fprintf); MODEL(fputs); MODEL(fwide);
    wchar_t a[40], b[40];
    for (int i = 0; i < 200; i++) {
        wmemset(a, 9, 40);
        wmemset(b, 9, 40);
        size_t size = below(20);
        int v = (int)below(100000);
        int n = swprintf(a, size, L"%d-%ls|%5.2f %s", v, L"wide", 1.5, "x"), m = vm_swprintf(b, size, L"%d-%ls|%5.2f %s", v, L"wide", 1.5, "x");
        CHECK(n == m && (n < 0 || wcscmp(a, b) == 0), "swprintf size %zu: %d %d", size, n, m);
    }
    FILE *f = fopen("w1", "w"), *g = vm_fopen("w2", "w");
    CHECK(fwprintf(f, L"%ls %d\n", L"text", 5) == vm_fwprintf(g, L"%ls %d\n", L"text", 5), "fwprintf");
    CHECK(fputws(L"line\n", f) == vm_fputws(L"line\n", g), "fputws");
    CHECK(fprintf(f, "bytes") == vm_fprintf(g, "bytes") && (fputs("b", f) < 0) == (vm_fputs("b", g) < 0), "byte output to a wide stream");
    fclose(f);
    vm_fclose(g);
    f = fopen("w1", "r");
    g = vm_fopen("w2", "r");
    for (int i = 0; i < 4; i++) {
        wchar_t *p = fgetws(a, i ? 40 : 4, f), *q = vm_fgetws(b, i ? 40 : 4, g);
        CHECK((p == NULL) == (q == NULL) && (p == NULL || wcscmp(p, q) == 0), "fgetws %d", i);
    }
    CHECK(fwide(f, 0) > 0 && vm_fwide(g, 0) > 0, "fwide");
    fclose(f);
    vm_fclose(g);
    unlink("w1");
    unlink("w2");
}

static void paths(void)
{
    MODEL(dirname);
    extern char *vm___xpg_basename(char *);
    static const char *const all[] = {"", "/", "//", "///", "a", "a/", "a//", "/a", "//a", "///a", "a/b", "a//b", "a/b/", "/a/b", "/a//b//", "//a/b", ".", "..", "a/.", "//a/", "///a/"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char x[20], y[20];
        strcpy(x, all[i]);
        strcpy(y, all[i]);
        char *p = dirname(x), *q = vm_dirname(y);
        CHECK(strcmp(p, q) == 0, "dirname(\"%s\"): \"%s\" \"%s\"", all[i], p, q);
        strcpy(x, all[i]);
        strcpy(y, all[i]);
        p = __xpg_basename(x);
        q = vm___xpg_basename(y);
        CHECK(strcmp(p, q) == 0, "basename(\"%s\"): \"%s\" \"%s\"", all[i], p, q);
    }
}

static void letters(char *out, const char *from, size_t most)
{
    size_t n = below((unsigned)most), k = strlen(from);
    for (size_t i = 0; i < n; i++)
        out[i] = from[below((unsigned)k)];
    out[n] = 0;
}

/* What is not modelled ends the call. */
#define MODELLED(result, call)                                                                                        \
    do {                                                                                                              \
        jmp_buf jump_;                                                                                                \
        native_on_end = &jump_;                                                                                       \
        if (setjmp(jump_) == 0)                                                                                       \
            result = call;                                                                                            \
        else                                                                                                          \
            unmodelled = 1;                                                                                           \
        native_on_end = NULL;                                                                                         \
    } while (0)

static void patterns(void)
{
    MODEL(fnmatch);
    static const char *const given[] = {"[[:alpha:]]*", "[!a-b]*", "*[]a]", "[a-]b", "[[:upper:]]", "*.[ch]", "a\\*"};
    static const int bits[] = {FNM_PATHNAME, FNM_PERIOD, FNM_NOESCAPE, FNM_CASEFOLD, FNM_LEADING_DIR};
    for (int i = 0; i < 20000; i++) {
        char pattern[20], text[10];
        volatile int x = 0, unmodelled = 0, flags = 0;
        if (below(6) == 0)
            strcpy(pattern, given[below(sizeof given / sizeof *given)]);
        else
            letters(pattern, "ab*?[]!-^./\\A:a:[[:alpha:][a-c]z", 9);
        letters(text, "ab./A-]\\[:z", 7);
        for (int k = 0; k < 5; k++)
            flags |= below(3) == 0 ? bits[k] : 0;
        MODELLED(x, vm_fnmatch(pattern, text, flags));
        CHECK(unmodelled || x == fnmatch(pattern, text, flags), "fnmatch(\"%s\", \"%s\", %x): %d", pattern, text, flags, x);
    }
}

static void addresses(void)
{
    MODEL(inet_pton); MODEL(inet_ntop);
    for (int i = 0; i < 20000; i++) {
        char text[50], own[50];
        unsigned char a[16], b[16];
        memset(a, 7, sizeof a);
        memset(b, 7, sizeof b);
        memset(own, 1, sizeof own);
        if (i % 2) {
            for (int k = 0; k < 16; k++)
                a[k] = below(3) ? 0 : (unsigned char)rnd();
            if (below(4) == 0)
                a[10] = a[11] = 255;
            socklen_t n = 1 + below(46);
            const char *p = inet_ntop(AF_INET6, a, text, n), *q = vm_inet_ntop(AF_INET6, a, own, n);
            CHECK((p == NULL) == (q == NULL) && (p == NULL || strcmp(text, own) == 0), "inet_ntop: %s %s", p ? p : "-", q ? q : "-");
            if (p == NULL)
                continue;
            if (below(2))
                text[below((unsigned)strlen(text))] = "01:.f"[below(5)];
            memset(a, 7, sizeof a);
        } else {
            letters(text, "0123:::.af1::0g25", 22);
        }
        int x = inet_pton(AF_INET6, text, a), y = vm_inet_pton(AF_INET6, text, b);
        CHECK(x == y && memcmp(a, b, sizeof a) == 0, "inet_pton(\"%s\"): %d %d", text, x, y);
    }
}

static void parsed_times(void)
{
    MODEL(strptime);
    /* Full dates, and none. */
    static const char *const formats[] = {"%Y-%m-%d", "%H:%M:%S", "%d %b %Y", "%a, %d %B %y", "%I:%M %p", "%p%I", "%j %Y", "%C%y %j",
                                          "%c", "%D", "%T", "%r", "%F %R", "%u", "%w", "%y%m%d", "%Y%m%d", "%k:%l", "%Y %j %d", "%q"};
    for (int i = 0; i < 20000; i++) {
        const char *format = formats[below(sizeof formats / sizeof *formats)];
        char text[64];
        if (below(4)) {
            time_t t = (time_t)(rnd() % 4000000000u) - 1000000000;
            struct tm tm;
            gmtime_r(&t, &tm);
            if (strftime(text, sizeof text, format, &tm) == 0)
                text[0] = 0;
            else if (below(2))
                text[below((unsigned)strlen(text))] = "0123456789 -:/,JaPm"[below(19)];
        } else {
            letters(text, "0123456789 -:/,JanMonMayPMam", 12);
        }
        struct tm a = {.tm_year = 70, .tm_mday = 1, .tm_wday = 4}, b = a;
        volatile int unmodelled = 0;
        char *volatile y = NULL, *x = strptime(text, format, &a);
        MODELLED(y, vm_strptime(text, format, &b));
        if (a.tm_year < -1899)
            continue;
        CHECK(unmodelled || (x == y && (x == NULL || memcmp(&a, &b, sizeof a) == 0)), "strptime(\"%s\", \"%s\")", text, format);
    }
}

static int seen_order[64], seen_count;

static int by_number(const void *a, const void *b)
{
    return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

static void in_order(const void *node, VISIT visit, int level)
{
    if (visit == postorder || visit == leaf)
        seen_order[seen_count++] = **(const int *const *)node;
}

static void keep(void *key)
{
}

static void searches(void)
{
    MODEL(tsearch); MODEL(tfind); MODEL(tdelete); MODEL(twalk); MODEL(tdestroy);
    MODEL(hcreate); MODEL(hsearch); MODEL(hdestroy);
    static int numbers[32];
    void *x = NULL, *y = NULL;
    for (int i = 0; i < 32; i++)
        numbers[i] = i;
    for (int i = 0; i < 2000; i++) {
        int *key = &numbers[below(32)];
        void *p, *q;
        switch (below(3)) {
        case 0:
            p = tsearch(key, &x, by_number);
            q = vm_tsearch(key, &y, by_number);
            CHECK(**(int **)p == **(int **)q, "tsearch");
            break;
        case 1:
            p = tfind(key, &x, by_number);
            q = vm_tfind(key, &y, by_number);
            CHECK((p == NULL) == (q == NULL), "tfind");
            break;
        default:
            p = tdelete(key, &x, by_number);
            q = vm_tdelete(key, &y, by_number);
            CHECK((p == NULL) == (q == NULL), "tdelete");
        }
        int first[64], n;
        seen_count = 0;
        twalk(x, in_order);
        n = seen_count;
        memcpy(first, seen_order, sizeof first);
        seen_count = 0;
        vm_twalk(y, in_order);
        CHECK(n == seen_count && memcmp(first, seen_order, (size_t)n * sizeof *first) == 0, "twalk");
    }
    tdestroy(x, keep);
    vm_tdestroy(y, keep);
    CHECK(hcreate(8) != 0 && vm_hcreate(8) != 0, "hcreate");
    for (int i = 0; i < 200; i++) {
        static char names[30][4];
        int k = (int)below(30);
        snprintf(names[k], sizeof names[k], "n%d", k);
        ENTRY item = {names[k], &numbers[i % 32]};
        ACTION action = below(2) ? ENTER : FIND;
        ENTRY *p = hsearch(item, action), *q = vm_hsearch(item, action);
        CHECK((p == NULL) == (q == NULL) && (p == NULL || p->data == q->data), "hsearch");
    }
    hdestroy();
    vm_hdestroy();
}

void test_misc(void)
{
    patterns();
    addresses();
    parsed_times();
    searches();
    maths();
    times();
    options();
    process();
    allocation();
    wide();
    wide_streams();
    paths();
}

/* strtol, strtod and their families, rand, qsort against the host. */
#include "native.h"
#include <dlfcn.h>
#include <math.h>

MODEL(strtol); MODEL(strtoul); MODEL(strtoll); MODEL(strtoull); MODEL(strtof); MODEL(strtod); MODEL(strtold); MODEL(atoi); MODEL(atol);
MODEL(rand); MODEL(srand); MODEL(rand_r); MODEL(random); MODEL(drand48); MODEL(lrand48); MODEL(mrand48); MODEL(srand48);
MODEL(erand48); MODEL(nrand48); MODEL(jrand48); MODEL(seed48);
MODEL(qsort); MODEL(qsort_r); MODEL(bsearch); MODEL(a64l); MODEL(l64a); MODEL(nan); MODEL(div); MODEL(ldiv);

static void random_text(char *out, unsigned max, const char *alphabet)
{
    unsigned n = below(max), k = (unsigned)strlen(alphabet);
    for (unsigned i = 0; i < n; i++)
        out[i] = alphabet[below(k)];
    out[n] = 0;
}

static void integer(const char *s)
{
    static const int bases[] = {0, 10, 16, 8, 2, 36, 3, 1, -1, 37};
    int base = bases[below(10)];
    char *e, *f;
#define SAME(type, host)                                                                                              \
    do {                                                                                                              \
        e = f = (char *)"?";                                                                                          \
        errno = vm_errno = 0;                                                                                         \
        type x = host(s, &e, base), y = vm_##host(s, &f, base);                                                       \
        /* AddressSanitizer's wrapper sets the end also where glibc leaves it alone. */                              \
        CHECK(x == y && (e == f || errno == EINVAL) && errno == vm_errno, #host "(\"%s\", %d): %lld %lld, %td %td, %d %d", s, base,        \
              (long long)x, (long long)y, e - s, f - s, errno, vm_errno);                                             \
    } while (0)
    SAME(long, strtol);
    SAME(unsigned long, strtoul);
    SAME(long long, strtoll);
    SAME(unsigned long long, strtoull);
    CHECK(atoi(s) == vm_atoi(s) && atol(s) == vm_atol(s), "atoi(\"%s\")", s);
}

static void real(const char *s)
{
    char *e, *f;
#define SAME_REAL(type, host, bytes)                                                                                  \
    do {                                                                                                              \
        errno = vm_errno = 0;                                                                                         \
        type x, y;                                                                                                    \
        memset(&x, 0, sizeof x);                                                                                      \
        memset(&y, 0, sizeof y);                                                                                      \
        x = host(s, &e);                                                                                              \
        y = vm_##host(s, &f);                                                                                         \
        CHECK(memcmp(&x, &y, bytes) == 0 && e == f && errno == vm_errno, #host "(\"%s\"): %La %La, %td %td, %d %d", s, \
              (long double)x, (long double)y, e - s, f - s, errno, vm_errno);                                         \
    } while (0)
    SAME_REAL(float, strtof, 4);
    SAME_REAL(double, strtod, 8);
    SAME_REAL(long double, strtold, 10);
}

struct item { int key, tag; char pad[40]; };
static int compare_calls, vm_compare_calls, *counter;
static int by_key(const void *a, const void *b)
{
    ++*counter;
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}
static int nonsense(const void *a, const void *b)
{
    /* No order at all, but a function of the arguments' content. */
    ++*counter;
    return ((((const struct item *)a)->tag * 31 + ((const struct item *)b)->tag) % 7) - 3;
}
static int with_context(const void *a, const void *b, void *context)
{
    ++*(int *)context;
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

void test_numbers(void)
{
    static const char *const edges[] = {
        "", " ", "-", "+", "0", "0x", "0xg", "-0x", "0x1", " \t\n12", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-18446744073709551615",
        "-18446744073709551616", "99999999999999999999999", "2147483648", "-2147483649", "08", "0b101", "zz", "+-1", "--1", "1-",
    };
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        for (int k = 0; k < 10; k++)
            integer(edges[i]);
    char text[128];
    for (int i = 0; i < 20000; i++) {
        random_text(text, i % 2 ? 24 : 8, i % 3 ? "0123456789" : " -+0x19afzZ");
        integer(text);
    }
    static const char *const reals[] = {
        "0", "-0", ".", ".5", "5.", "-.5e", "1e", "1e+", "1e5", "1e-5x", "inf", "-INF", "infinit", "infinity", "nan", "-nan", "nan(",
        "nan()", "nan(12)", "nan(0x1f)", "nan(abc)", "nan(9999999999999999999999)", "1e308", "1.8e308", "1e309", "-1e400", "1e-308",
        "2.2250738585072014e-308", "2.2250738585072011e-308", "4.9e-324", "2e-324", "2.4703282292062327e-324", "1e-400", "0e-999999999",
        "1e999999999999", "0x", "0x.", "0x1", "0x.8", "0x1p", "0x1p+", "0x1p4", "0x1.fffffffffffff8p0", "0x1.fffffffffffff7fffp0",
        "0x1.00000000000008p0", "0x1.000000000000080000000001p0", "0x1p1024", "0x1.fffffffffffffp1023", "0x1.fffffffffffff8p1023",
        "0x1p-1074", "0x1p-1075", "0x1.8p-1075", "0x1.00001p-1074", "0x1p-1022", "0x0.fffffffffffff8p-1022", "0x0.ffffffffffffffp-1022",
        "0x1p-16445", "0x1p-16446", "0x1.8p-16446", "0x1p16383", "0x1.fffffffffffffffep16383", "0x1.ffffffffffffffffp16383",
        "0x1.fffffep127", "0x1.ffffffp127", "0x1p-149", "0x1p-150", "0x1.8p-150", "0x1.000002p-126", "0x1.000001p-126", "0x1.0000018p0",
        "0x123456789abcdef0123456789abcdef.123p-20", "0x0000000000000000000000000000000000001p0", "0x.00000000000000000000000000001p200",
        "0x1.0000000000000001p0", "0x1.00000000000000010000001p0", "0x1.00000000000000030p0", "3.4028235677973366e38", "1.17549435e-38",
        "1.4e-45", "7e-46", "16777217", "9007199254740993", "18446744073709551617", "1.189731495357231765e4932", "1.19e4932", "3.6e-4951",
        "1e-4951", "1e-5000", "123456789012345678901234567890123456789012345678901234567890", "0.1e1.5", "1..2", "1e5e5", "0x1.p1", "00x1",
        "0xp1", "+0x1P+0010", "  \t-1.5E+3z", "1e00000000000000000000000000000000001", "0x1p99999999999999999", "0x1p-99999999999999999",
        "0x0p99999999999999999",
    };
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        real(reals[i]);
    for (int i = 0; i < 6000; i++) {
        int k = i % 4;
        if (k == 0) {
            random_text(text, 14, "0123.e-+x");
        } else if (k == 1) {
            sprintf(text, "%llu.%llue%d", (unsigned long long)(rnd() >> below(64)), (unsigned long long)rnd(), (int)below(700) - 350);
        } else if (k == 2) {
            sprintf(text, "0x%llx.%llx%llxp%d", (unsigned long long)(rnd() >> below(64)), (unsigned long long)rnd(),
                    (unsigned long long)rnd(), (int)below(2300) - 1150);
        } else {
            sprintf(text, "0x%llx.%llxp%d", (unsigned long long)(rnd() >> below(64)), (unsigned long long)(rnd() >> below(64)),
                    (int)below(33000) - 16500);
        }
        real(text);
    }
    for (unsigned seed = 0; seed < 5; seed++) {
        if (seed != 0) {
            srand(seed * 77777u - 1);
            vm_srand(seed * 77777u - 1);
        }
        unsigned ra = seed, rb = seed;
        for (int i = 0; i < 200; i++) {
            int x = rand(), y = vm_rand();
            CHECK(x == y, "rand: %d %d", x, y);
            CHECK(random() == vm_random(), "random");
            CHECK(rand_r(&ra) == vm_rand_r(&rb) && ra == rb, "rand_r");
        }
    }
    unsigned short s48[3] = {1, 2, 3}, v48[3] = {1, 2, 3};
    for (int i = 0; i < 100; i++) {
        if (i == 50) {
            srand48(-12345);
            vm_srand48(-12345);
        }
        CHECK(drand48() == vm_drand48() && lrand48() == vm_lrand48() && mrand48() == vm_mrand48(), "drand48");
        CHECK(erand48(s48) == vm_erand48(v48) && nrand48(s48) == vm_nrand48(v48) && jrand48(s48) == vm_jrand48(v48), "erand48");
    }
    /* AddressSanitizer's qsort compares all neighbours first: the one of libc.so itself is wanted. */
    void *libc = dlopen("libc.so.6", RTLD_NOW);
    __typeof__(&qsort) host_qsort = (__typeof__(&qsort))dlsym(libc, "qsort");
    __typeof__(&qsort_r) host_qsort_r = (__typeof__(&qsort_r))dlsym(libc, "qsort_r");
    for (int i = 0; i < 300; i++) {
        unsigned n = below(40);
        struct item a[40] = {0}, b[40] = {0};
        for (unsigned j = 0; j < n; j++) {
            a[j].key = (int)below(10);
            a[j].tag = (int)j;
        }
        memcpy(b, a, sizeof a);
        int calls = 0, vm_calls = 0;
        int (*f)(const void *, const void *) = i % 2 ? by_key : nonsense;
        counter = &calls;
        host_qsort(a, n, sizeof *a, f);
        counter = &vm_calls;
        vm_qsort(b, n, sizeof *b, f);
        CHECK(memcmp(a, b, sizeof a) == 0, "qsort of %u", n);
        CHECK(calls == vm_calls, "qsort of %u: %d and %d comparisons", n, calls, vm_calls);
        host_qsort_r(a, n, sizeof *a, with_context, &calls);
        vm_qsort_r(b, n, sizeof *b, with_context, &vm_calls);
        CHECK(memcmp(a, b, sizeof a) == 0 && calls == vm_calls, "qsort_r of %u", n);
        struct item key = {(int)below(11), 0, ""};
        char *p = bsearch(&key, a, n, sizeof *a, by_key), *q = vm_bsearch(&key, b, n, sizeof *b, by_key);
        CHECK((p == NULL) == (q == NULL) && (p == NULL || p - (char *)a == q - (char *)b), "bsearch");
    }
    for (int i = 0; i < 500; i++) {
        long x = (long)(rnd() >> below(64));
        CHECK(strcmp(l64a(x), vm_l64a(x)) == 0, "l64a(%ld)", x);
        CHECK(a64l(l64a(x)) == vm_a64l(l64a(x)), "a64l(%ld)", x);
    }
}

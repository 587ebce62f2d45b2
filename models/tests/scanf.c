/* sscanf and fscanf against the host: generated inputs under generated formats. */
#include "native.h"
#include <stdarg.h>
#include <stdbool.h>
#include <unistd.h>

MODEL(fopen); MODEL(fclose); MODEL(ftell); MODEL(free);
extern int vm___isoc99_sscanf(const char *, const char *, ...);
extern int vm___isoc99_fscanf(FILE *, const char *, ...);
extern int vm_sscanf(const char *, const char *, ...);

static char a[4][256], b[4][256];
static const char *path = "scanf_input";

static void both(const char *text, const char *format)
{
    memset(a, '~', sizeof a);
    memset(b, '~', sizeof b);
    errno = vm_errno = 0;
    int n = sscanf(text, format, a[0], a[1], a[2], a[3]);
    int m = vm___isoc99_sscanf(text, format, b[0], b[1], b[2], b[3]);
    CHECK(n == m && memcmp(a, b, sizeof a) == 0, "sscanf(\"%s\", \"%s\"): %d, model %d", text, format, n, m);
}

/* From a stream: the same, and the position afterwards. */
static void from_stream(const char *text, const char *format)
{
    FILE *f = fopen(path, "w+");
    fputs(text, f);
    fclose(f);
    f = fopen(path, "r");
    FILE *g = vm_fopen(path, "r");
    memset(a, '~', sizeof a);
    memset(b, '~', sizeof b);
    int n = fscanf(f, format, a[0], a[1], a[2], a[3]);
    int m = vm___isoc99_fscanf(g, format, b[0], b[1], b[2], b[3]);
    CHECK(n == m && memcmp(a, b, sizeof a) == 0 && ftell(f) == vm_ftell(g), "fscanf(\"%s\", \"%s\"): %d at %ld, model %d at %ld",
          text, format, n, ftell(f), m, vm_ftell(g));
    fclose(f);
    vm_fclose(g);
}

void test_scanf(void)
{
    static const char *const fixed[][2] = {
        {"12 34", "%d %d"}, {"12,34", "%d,%d"}, {"  -5xyz", "%d%s"}, {"0x1F 017 9", "%i %i %i"}, {"abc", "%d"}, {"", "%d"}, {" ", "%d"},
        {"", "%n"}, {"12", "%d%n"}, {"12 ", "%d %n"}, {"abcdef", "%3s%n"}, {"abcdef", "%3c"}, {"aabbcc", "%[a-b]"}, {"xyz", "%[^y]"},
        {"]a]", "%[]a]"}, {"a-c", "%[a-]"}, {"a-c", "%[-a]"}, {"3.14e2 x", "%f %s"}, {"3.14e2", "%lf"}, {"1e", "%lf%n"}, {"1e+", "%lf%n"},
        {"0x1p3", "%lf"}, {"0x", "%lf"}, {"nan inf", "%f %f"}, {"infinity", "%lf%n"}, {"infinit", "%lf"}, {"-nanx", "%lf%n"}, {"in", "%f"},
        {"99999999999999999999", "%d"}, {"99999999999999999999", "%ld"}, {"-99999999999999999999", "%lld"}, {"300", "%hhd"},
        {"70000", "%hd"}, {"ff", "%x"}, {"0xff", "%x"}, {"0x", "%x%n"}, {"0xg", "%x%c"}, {"0xg", "%i%c"}, {"777", "%o"}, {"789", "%o%d"},
        {"0x1234", "%p"}, {"(nil)", "%p"}, {"(nix)", "%p"}, {"50%", "%d%%"}, {"50 %", "%d%%"}, {"a b", "a b"}, {"ab", "a b%n"}, {"a  b c", "a b%n"},
        {"1 2 3", "%*d %d"}, {"hello world", "%*s %s"}, {"123456", "%2d%3d%d"}, {"+5 -6", "%d %d"}, {"+", "%d"}, {"- 5", "%d"}, {"-", "%d%n"},
        {"12abc", "%2$d%1$n"}, {"5 x", "%2$d %1$s"}, {"1.5.5", "%f%f"}, {".5.", "%f%c"}, {"1..5", "%f%s"}, {"1,2", "%f%s"}, {"+.e5", "%f"},
        {"12345678901234567890123", "%10lld%n"}, {"a", "%5c"}, {"ab cd", "%c%c%c%c"}, {"x=5;", "x=%d;%n"}, {"x=5", "x=%d;%n"},
        {"0b11", "%i%n"}, {"00", "%i%n"}, {"0", "%i%n"}, {"0", "%1x%n"}, {"0x5", "%2x%n"}, {"0x5", "%2i%n"}, {"0x5", "%1i%n"}, {"-0x5", "%3i%n"},
        {"1e5", "%2f%n"}, {"1e5", "%1f%n"}, {"-1", "%1d%n"}, {"-1", "%1f%n"}, {"0x1", "%2f%n"}, {"0x1", "%1f%n"}, {"nan", "%2f%n"}, {"infi", "%4f%n"},
        {"infi", "%3f%n"},
    };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        both(fixed[i][0], fixed[i][1]);
        from_stream(fixed[i][0], fixed[i][1]);
    }
    static const char *const pieces[] = {"%d", "%i", "%x", "%o", "%u", "%ld", "%hd", "%hhd", "%lld", "%zu", "%jd", "%s", "%5s", "%c", "%3c",
                                         "%[a-z]", "%[^ ]", "%2[0-9]", "%f", "%lf", "%Lf", "%3lf", "%4i", "%2d", "%n", "%*d", "%*s", " ", ",",
                                         "x", "%%", "%p", "%*[0-9]", "%g"};
    for (int i = 0; i < 12000; i++) {
        char format[64] = "", text[32];
        for (unsigned k = 1 + below(4); k > 0; k--)
            strcat(format, pieces[below(sizeof pieces / sizeof *pieces)]);
        unsigned n = below(20);
        const char *alphabet = below(2) ? "0123456789 ,.-+" : "01 x,ae.-+pnifty%";
        for (unsigned k = 0; k < n; k++)
            text[k] = alphabet[below((unsigned)strlen(alphabet))];
        text[n] = 0;
        both(text, format);
        if (i % 12 == 0)
            from_stream(text, format);
    }
    char *p = NULL, *q = NULL, *r = NULL;
    CHECK(vm___isoc99_sscanf("word 123 rest", "%ms %m[0-9] %mc", &p, &q, &r) == 3 && strcmp(p, "word") == 0 && strcmp(q, "123") == 0
              && *r == 'r', "%%m");
    vm_free(p);
    vm_free(q);
    vm_free(r);
    CHECK(vm_sscanf("word", "%as", &p) == 1 && strcmp(p, "word") == 0, "%%as");
    vm_free(p);
    wchar_t w[10];
    CHECK(vm___isoc99_sscanf("wide", "%ls", w) == 1 && w[0] == 'w' && w[4] == 0, "%%ls");
    unlink(path);
}

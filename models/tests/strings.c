/* <string.h>, <strings.h>, <ctype.h> against the host. */
#include "native.h"
#include <ctype.h>
#include <strings.h>
#include <unistd.h>

MODEL(memcmp); MODEL(memchr); MODEL(memrchr); MODEL(rawmemchr); MODEL(memccpy); MODEL(memmem); MODEL(mempcpy); MODEL(memmove);
MODEL(strlen); MODEL(strnlen); MODEL(strcpy); MODEL(stpcpy); MODEL(strncpy); MODEL(stpncpy); MODEL(strcat); MODEL(strncat);
MODEL(strcmp); MODEL(strncmp); MODEL(strcoll); MODEL(strxfrm); MODEL(strchr); MODEL(strchrnul); MODEL(strrchr);
MODEL(strspn); MODEL(strcspn); MODEL(strpbrk); MODEL(strstr); MODEL(strcasestr); MODEL(strtok_r); MODEL(strsep); MODEL(strverscmp);
MODEL(strdup); MODEL(strndup); MODEL(strcasecmp); MODEL(strncasecmp); MODEL(ffs); MODEL(ffsl); MODEL(ffsll); MODEL(swab);
MODEL(memfrob); MODEL(strerror); MODEL(strsignal); MODEL(free);
extern char *vm_basename(const char *);

/* A fresh exact-size object, so that AddressSanitizer sees the first byte too many. */
static char *random_string(unsigned max, const char *alphabet)
{
    unsigned n = below(max + 1), k = (unsigned)strlen(alphabet);
    char *s = malloc(n + 1);
    for (unsigned i = 0; i < n; i++)
        s[i] = alphabet[below(k)];
    s[n] = 0;
    return s;
}

#define SAME_POINTER(x, y, base1, base2)                                                                              \
    do {                                                                                                              \
        char *p_ = (x), *q_ = (y);                                                                                    \
        CHECK((p_ == NULL) == (q_ == NULL) && (p_ == NULL || p_ - (char *)(base1) == q_ - (char *)(base2)),           \
              "%s on \"%s\" \"%s\"", #x, a, b);                                                                       \
    } while (0)

static void copies(const char *a, const char *b)
{
    char x[64], y[64];
    unsigned n = below(12);
    memset(x, 'z', sizeof x);
    memset(y, 'z', sizeof y);
#define SAME_COPY(call, vm)                                                                                           \
    do {                                                                                                              \
        char *p_ = call, *q_ = vm;                                                                                    \
        CHECK(memcmp(x, y, sizeof x) == 0 && (p_ == NULL) == (q_ == NULL) && (p_ == NULL || p_ - x == q_ - y),        \
              "%s on \"%s\" n=%u", #call, a, n);                                                                      \
    } while (0)
    SAME_COPY(strcpy(x, a), vm_strcpy(y, a));
    SAME_COPY(strcat(x, b), vm_strcat(y, b));
    SAME_COPY(strncat(x, a, n), vm_strncat(y, a, n));
    SAME_COPY(stpcpy(x, b), vm_stpcpy(y, b));
    SAME_COPY(strncpy(x, a, n), vm_strncpy(y, a, n));
    SAME_COPY(stpncpy(x, b, n), vm_stpncpy(y, b, n));
    SAME_COPY(memccpy(x, a, 'b', strlen(a)), vm_memccpy(y, a, 'b', strlen(a)));
    SAME_COPY(mempcpy(x, b, strlen(b)), vm_mempcpy(y, b, strlen(b)));
    SAME_COPY(memmove(x + 1, x, 20), vm_memmove(y + 1, y, 20));
    CHECK(strxfrm(x, a, n) == vm_strxfrm(y, a, n) && memcmp(x, y, sizeof x) == 0, "strxfrm");
    swab(x, x + 30, 21);
    vm_swab(y, y + 30, 21);
    CHECK(memcmp(x, y, sizeof x) == 0, "swab");
}

static void tokens(const char *text, const char *delimiters)
{
    char *a = strdup(text), *b = strdup(text), *ra = NULL, *rb = NULL, *p, *q;
    p = strtok_r(a, delimiters, &ra);
    q = vm_strtok_r(b, delimiters, &rb);
    for (int i = 0; i < 20; i++) {
        CHECK((p == NULL) == (q == NULL) && (p == NULL || (p - a == q - b && strcmp(p, q) == 0)), "strtok_r \"%s\"", text);
        if (p == NULL || q == NULL)
            break;
        p = strtok_r(NULL, delimiters, &ra);
        q = vm_strtok_r(NULL, delimiters, &rb);
    }
    strcpy(a, text);
    strcpy(b, text);
    ra = a;
    rb = b;
    while (ra != NULL && rb != NULL) {
        p = strsep(&ra, delimiters);
        q = vm_strsep(&rb, delimiters);
        CHECK(p - a == q - b && strcmp(p, q) == 0, "strsep \"%s\"", text);
    }
    CHECK(ra == rb, "strsep end");
    free(a);
    free(b);
}

void test_strings(void)
{
    for (int round = 0; round < 6000; round++) {
        const char *alphabet = round % 3 == 0 ? "ab" : round % 3 == 1 ? "aAbB\xe9z" : "a019.";
        char *a = random_string(9, alphabet), *b = random_string(round % 2 ? 3 : 9, alphabet);
        size_t la = strlen(a), lb = strlen(b), shorter = la < lb ? la : lb;
        unsigned n = below(12);
        int c = alphabet[below((unsigned)strlen(alphabet) + 1)];
        CHECK(vm_strlen(a) == la && vm_strnlen(a, n) == strnlen(a, n), "strlen");
        CHECK(sign(strcmp(a, b)) == sign(vm_strcmp(a, b)), "strcmp \"%s\" \"%s\"", a, b);
        CHECK(sign(strcoll(a, b)) == sign(vm_strcoll(a, b)), "strcoll");
        CHECK(sign(strncmp(a, b, n)) == sign(vm_strncmp(a, b, n)), "strncmp \"%s\" \"%s\" %u", a, b, n);
        CHECK(sign(memcmp(a, b, shorter)) == sign(vm_memcmp(a, b, shorter)), "memcmp");
        CHECK(strcasecmp(a, b) == vm_strcasecmp(a, b), "strcasecmp \"%s\" \"%s\"", a, b);
        CHECK(strncasecmp(a, b, n) == vm_strncasecmp(a, b, n), "strncasecmp");
        CHECK(sign(strverscmp(a, b)) == sign(vm_strverscmp(a, b)), "strverscmp \"%s\" \"%s\": %d %d", a, b,
              strverscmp(a, b), vm_strverscmp(a, b));
        CHECK(strspn(a, b) == vm_strspn(a, b) && strcspn(a, b) == vm_strcspn(a, b), "strspn");
        SAME_POINTER(strchr(a, c), vm_strchr(a, c), a, a);
        SAME_POINTER(strchrnul(a, c), vm_strchrnul(a, c), a, a);
        SAME_POINTER(strrchr(a, c), vm_strrchr(a, c), a, a);
        SAME_POINTER(memchr(a, c, la), vm_memchr(a, c, la), a, a);
        SAME_POINTER(memrchr(a, c, la), vm_memrchr(a, c, la), a, a);
        SAME_POINTER(rawmemchr(a, 0), vm_rawmemchr(a, 0), a, a);
        SAME_POINTER(strpbrk(a, b), vm_strpbrk(a, b), a, a);
        SAME_POINTER(strstr(a, b), vm_strstr(a, b), a, a);
        SAME_POINTER(strcasestr(a, b), vm_strcasestr(a, b), a, a);
        SAME_POINTER(memmem(a, la, b, lb), vm_memmem(a, la, b, lb), a, a);
        SAME_POINTER(basename(a), vm_basename(a), a, a);
        copies(a, b);
        tokens(a, b);
        char *d = vm_strdup(a), *e = vm_strndup(a, n), *f = strndup(a, n);
        CHECK(strcmp(d, a) == 0 && strcmp(e, f) == 0, "strdup");
        vm_free(d);
        vm_free(e);
        free(f);
        long long bits = (long long)(rnd() & rnd() & rnd());
        bits = (long long)((unsigned long long)bits << below(64));
        CHECK(ffs((int)bits) == vm_ffs((int)bits) && ffsl(bits) == vm_ffsl(bits) && ffsll(bits) == vm_ffsll(bits), "ffs");
        free(a);
        free(b);
    }
    MODEL(isalnum); MODEL(isalpha); MODEL(isblank); MODEL(iscntrl); MODEL(isdigit); MODEL(isgraph); MODEL(islower); MODEL(isprint);
    MODEL(ispunct); MODEL(isspace); MODEL(isupper); MODEL(isxdigit); MODEL(tolower); MODEL(toupper);
    MODEL(__ctype_b_loc); MODEL(__ctype_tolower_loc); MODEL(__ctype_toupper_loc);
    for (int c = -128; c < 256; c++) {
#define CLASS(f) CHECK((f)(c) == vm_##f(c), #f "(%d): %d %d", c, (f)(c), vm_##f(c))
        CLASS(isalnum); CLASS(isalpha); CLASS(isblank); CLASS(iscntrl); CLASS(isdigit); CLASS(isgraph); CLASS(islower);
        CLASS(isprint); CLASS(ispunct); CLASS(isspace); CLASS(isupper); CLASS(isxdigit); CLASS(tolower); CLASS(toupper);
        CHECK((*__ctype_b_loc())[c] == (*vm___ctype_b_loc())[c], "__ctype_b[%d]", c);
        CHECK((*__ctype_tolower_loc())[c] == (*vm___ctype_tolower_loc())[c], "__ctype_tolower[%d]", c);
        CHECK((*__ctype_toupper_loc())[c] == (*vm___ctype_toupper_loc())[c], "__ctype_toupper[%d]", c);
    }
    for (int e = -3; e < 140; e++) {
        CHECK(strcmp(strerror(e), vm_strerror(e)) == 0, "strerror(%d): %s", e, vm_strerror(e));
        CHECK(strcmp(strsignal(e), vm_strsignal(e)) == 0, "strsignal(%d): %s %s", e, strsignal(e), vm_strsignal(e));
    }
}

/* <regex.h>: whether a text matches is anything, and so is where, as long as it is in the text. Which patterns are refused
 * is open as well. <fnmatch.h> is exact. */
#include "internal.h"
#include <fnmatch.h>
#include <regex.h>

/* The character behind a bracket expression whose `[` is at p; p itself where it does not end. */
static const char *behind_bracket(const char *p)
{
    const char *q = p + 1;
    if (*q == '^' || *q == '!')
        q++;
    if (*q == ']')
        q++;
    while (*q != ']') {
        if (*q == 0)
            return p;
        if (*q == '[' && (q[1] == ':' || q[1] == '.' || q[1] == '=')) {
            char kind = q[1];
            const char *end = q + 2;
            while (*end != 0 && !(end[0] == kind && end[1] == ']'))
                end++;
            if (*end == 0)
                return p;
            q = end + 1;
        }
        q++;
    }
    return q + 1;
}

/* What is known of every match. */
enum { ALL_GROUPS = 1, FROM_START = 2, TO_END = 4 };

/* How many groups a pattern has. `extended`: 0 or 1. */
static size_t groups(const char *p, int extended, int *known)
{
    const char *start = p + 1;
    int alternatives = 0;
    size_t n = 0;
    *known = ALL_GROUPS | (*p == '^' ? FROM_START : 0);
    while (*p != 0) {
        int escaped = p[0] == '\\' && p[1] != 0;
        const char *end = *p == '[' ? behind_bracket(p) : p;
        if (end > p) {
            p = end;
            *known &= ~TO_END;
            continue;
        }
        p += escaped;
        char c = *p++;
        *known = c == '$' && !escaped ? *known | TO_END : *known & ~TO_END;
        if (escaped != extended && c == '(')
            n++;
        if (c == '*' || (escaped != extended && (c == '?' || c == '{')))
            *known &= ~ALL_GROUPS;
        /* Another way to match, or an empty one. */
        if (escaped != extended && c == '|')
            alternatives = 1;
        if (*known & FROM_START && p - start == 1 + escaped && (c == '*' || c == '?' || c == '{'))
            alternatives = 1;
    }
    if (alternatives)
        *known = 0;
    return n;
}

int regcomp(regex_t *r, const char *pattern, int flags)
{
    __verify_analysis_only("regcomp");
    VM_DEFINED(flags, "regcomp");
    vm_path(pattern);
    if (__verify_choose_failure("regcomp"))
        return REG_BADPAT + (int)(__verify_nondet_u64("regcomp") % 15);
    int known;
    __builtin_memset(r, 0, sizeof *r);
    r->re_nsub = groups(pattern, (flags & REG_EXTENDED) != 0, &known);
    r->no_sub = (flags & REG_NOSUB) != 0;
    char *own = __verify_alloc(1, 1, VERIFY_FAMILY_MALLOC);
    /* Where there are lines, they have starts and ends too. */
    *own = (char)(flags & REG_NEWLINE ? known & ALL_GROUPS : known);
    r->buffer = (void *)own;
    return 0;
}

void regfree(regex_t *r)
{
    if (r->buffer != NULL)
        __verify_free(r->buffer, VERIFY_FAMILY_MALLOC);
    r->buffer = NULL;
}

/* A place in a text, or none. */
static void place(regmatch_t *m, size_t low, size_t high, int must)
{
    unsigned long v = __verify_nondet_u64("regexec");
    size_t from = v >> 1 & 0x7fffffff, to = v >> 32;
    if (!must && v & 1) {
        m->rm_so = m->rm_eo = -1;
        return;
    }
    if (to > high)
        to = high;
    if (to < low)
        to = low;
    if (from > to)
        from = to;
    if (from < low)
        from = low;
    m->rm_so = (regoff_t)from;
    m->rm_eo = (regoff_t)to;
}

int regexec(const regex_t *r, const char *text, size_t n, regmatch_t match[], int flags)
{
    __verify_analysis_only("regexec");
    VM_DEFINED(flags, "regexec");
    if (r->buffer == NULL)
        __verify_fail("invalid-argument", "regexec with a pattern that is not compiled");
    size_t start = 0, length;
    if (flags & REG_STARTEND) {
        start = (size_t)match[0].rm_so;
        length = (size_t)match[0].rm_eo - start;
        vm_touch(text + start, length);
    } else {
        length = vm_strlen(text);
    }
    unsigned long v = __verify_nondet_u64("regexec");
    if (v & 1)
        return v & 2 ? REG_ESPACE : REG_NOMATCH;
    if (r->no_sub)
        return 0;
    /* What a group matches lies in what the whole pattern matches. */
    int known = *(const char *)r->buffer;
    for (size_t i = 0; i < n; i++) {
        if (i == 0) {
            place(&match[0], start, start + length, 1);
            if (known & FROM_START && !(flags & REG_NOTBOL))
                match[0].rm_so = (regoff_t)start;
            if (known & TO_END && !(flags & REG_NOTEOL))
                match[0].rm_eo = (regoff_t)(start + length);
        }
        else if (i <= r->re_nsub)
            place(&match[i], (size_t)match[0].rm_so, (size_t)match[0].rm_eo, known & ALL_GROUPS);
        else
            match[i].rm_so = match[i].rm_eo = -1;
    }
    return 0;
}

/* As glibc says it; what it would have taken is returned. glibc ends the process where there is no such code. */
size_t regerror(int code, const regex_t *r, char *out, size_t n)
{
    static const char *const texts[] = {
        "Success", "No match", "Invalid regular expression", "Invalid collation character", "Invalid character class name",
        "Trailing backslash", "Invalid back reference", "Unmatched [, [^, [:, [., or [=", "Unmatched ( or \\(",
        "Unmatched \\{", "Invalid content of \\{\\}", "Invalid range end", "Memory exhausted",
        "Invalid preceding regular expression", "Premature end of regular expression", "Regular expression too big",
        "Unmatched ) or \\)"};
    VM_DEFINED(code, "regerror");
    if (code < 0 || code >= (int)(sizeof texts / sizeof texts[0]))
        __verify_fail("invalid-argument", "regerror with a number that is no error of regcomp");
    const char *text = texts[code];
    size_t length = vm_strlen(text) + 1;
    if (n > 0) {
        size_t kept = length < n ? length - 1 : n - 1;
        __builtin_memcpy(out, text, kept);
        out[kept] = 0;
    }
    return length;
}

/* ---- fnmatch in the C locale, in full but for FNM_EXTMATCH and classes by equivalence or name of a character. */

static int same(int a, int b, int flags)
{
    return flags & FNM_CASEFOLD ? vm_tolower(a) == vm_tolower(b) : a == b;
}

static int in_class(const char *name, size_t n, int c)
{
    static const char *const names[] = {"alpha", "digit", "alnum", "upper", "lower", "space",
                                        "blank", "punct", "print", "graph", "cntrl", "xdigit"};
    int which = 0;
    while (which < 12 && !(vm_strlen(names[which]) == n && vm_strncmp(names[which], name, n) == 0))
        which++;
    int graph = c > ' ' && c < 127;
    switch (which) {
    case 0: return vm_isalpha(c);
    case 1: return vm_isdigit(c);
    case 2: return vm_isalnum(c);
    case 3: return vm_isupper(c);
    case 4: return vm_islower(c);
    case 5: return vm_isspace(c);
    case 6: return c == ' ' || c == '\t';
    case 7: return graph && !vm_isalnum(c);
    case 8: return graph || c == ' ';
    case 9: return graph;
    case 10: return c < ' ' || c == 127;
    case 11: return vm_isxdigit(c);
    default: __verify_unmodelled("fnmatch with a class of characters of another name");
    }
}

/* The bracket expression at p, which ends: c is in it, or not. */
static int in_bracket(const char *p, const char *end, int c, int flags)
{
    int negated = p[1] == '!' || p[1] == '^', found = 0;
    p += 1 + negated;
    end--; /* the bracket that closes it */
    while (p < end) {
        if (*p == '[' && p[1] == ':') {
            const char *name = p + 2;
            for (p = name; !(p[0] == ':' && p[1] == ']'); p++)
                ;
            size_t n = (size_t)(p - name);
            found |= in_class(name, n, c);
            if (flags & FNM_CASEFOLD && in_class(name, n, vm_tolower(c)) != in_class(name, n, vm_toupper(c)))
                __verify_unmodelled("fnmatch with a class of letters of one case, whatever their case");
            p += 2;
            continue;
        }
        if (*p == '[' && (p[1] == '.' || p[1] == '='))
            __verify_unmodelled("fnmatch with the name of a character");
        if (*p == '\\' && !(flags & FNM_NOESCAPE))
            __verify_unmodelled("fnmatch with a backslash in brackets");
        int low = (unsigned char)*p++, high = low;
        if (p[0] == '-' && p + 1 < end) {
            if (p[1] == '[' || p[1] == '\\')
                __verify_unmodelled("fnmatch with the name of a character");
            high = (unsigned char)p[1];
            p += 2;
        }
        found |= (c >= low && c <= high);
        if (flags & FNM_CASEFOLD && vm_isalpha(c)) {
            int lower = vm_tolower(c), upper = vm_toupper(c);
            if (vm_isupper(low) != vm_isupper(high) || vm_islower(low) != vm_islower(high))
                __verify_unmodelled("fnmatch with a range of mixed characters, whatever their case");
            found |= (lower >= low && lower <= high) || (upper >= low && upper <= high);
        }
    }
    return found != negated;
}

int fnmatch(const char *pattern, const char *text, int flags)
{
    VM_DEFINED(flags, "fnmatch");
    vm_path(pattern);
    vm_path(text);
    if (flags & FNM_EXTMATCH)
        __verify_unmodelled("fnmatch with FNM_EXTMATCH");
    const char *p = pattern, *s = text, *star = NULL, *again = NULL;
    for (;;) {
        /* A period that only a period matches. */
        int leading = flags & FNM_PERIOD && *s == '.' && (s == text || (flags & FNM_PATHNAME && s[-1] == '/'));
        int slash = flags & FNM_PATHNAME && *s == '/', matches = 0;
        const char *next = p + 1;
        if (*p == 0) {
            if (*s == 0 || (flags & FNM_LEADING_DIR && *s == '/'))
                return 0;
        } else if (*p == '*') {
            if (leading)
                return FNM_NOMATCH;
            star = ++p;
            again = s;
            continue;
        } else if (*p == '?') {
            matches = *s != 0 && !slash && !leading;
        } else if (*p == '[' && behind_bracket(p) > p) {
            next = behind_bracket(p);
            for (const char *q = p; flags & FNM_PATHNAME && q < next; q++) {
                if (*q == '/')
                    __verify_unmodelled("fnmatch with a slash in brackets");
            }
            matches = *s != 0 && !slash && !leading && in_bracket(p, next, (unsigned char)*s, flags);
        } else {
            if (*p == '[')
                __verify_unmodelled("fnmatch with a bracket that is not closed");
            if (*p == '\\' && !(flags & FNM_NOESCAPE)) {
                next = p + 2;
                p++;
                if (*p == 0)
                    return FNM_NOMATCH;
            }
            matches = *s != 0 && same((unsigned char)*p, (unsigned char)*s, flags);
        }
        if (matches) {
            /* What the last star took does not go beyond a slash. */
            if (slash)
                star = NULL;
            p = next;
            s++;
            continue;
        }
        if (star == NULL || *again == 0 || (flags & FNM_PATHNAME && *again == '/'))
            return FNM_NOMATCH;
        p = star;
        s = ++again;
    }
}

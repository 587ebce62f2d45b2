/* getopt and getopt_long as in glibc: the arguments are permuted unless POSIXLY_CORRECT is set or the option string begins
 * with '+' or '-'; the same messages. */
#include "stdio_internal.h"
#include <getopt.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

enum ordering { REQUIRE_ORDER, PERMUTE, RETURN_IN_ORDER };

static int initialised;
static char *next_char;
static int first_nonopt, last_nonopt;
static enum ordering ordering;
static int last_bad; /* optopt is set to it by every call, as in glibc */

static void say(const char *a, const char *b, const char *c, const char *d, const char *e, const char *f, const char *g)
{
    const char *parts[] = {a, b, c, d, e, f, g};
    if (!opterr)
        return;
    for (int i = 0; i < 7; i++) {
        const char *part = parts[i] != NULL ? parts[i] : "(null)"; /* `argv[0]` may be null */
        __verify_lib_put(stream_of(stderr), part, vm_strlen(part));
    }
}

/* Swaps the non-options [first_nonopt, last_nonopt) with the options [last_nonopt, optind). */
static void exchange(char **argv)
{
    int bottom = first_nonopt, middle = last_nonopt, top = optind;
    for (int start = bottom; middle < top && start < middle; start++, middle++) {
        char *option = argv[middle];
        for (int i = middle; i > start; i--)
            argv[i] = argv[i - 1];
        argv[start] = option;
        if (middle + 1 >= top)
            break;
    }
    first_nonopt += optind - last_nonopt;
    last_nonopt = optind;
}

static void initialise(const char **options)
{
    if (optind == 0)
        optind = 1;
    first_nonopt = last_nonopt = optind;
    next_char = NULL;
    if (**options == '-') {
        ordering = RETURN_IN_ORDER;
        *options += 1;
    } else if (**options == '+') {
        ordering = REQUIRE_ORDER;
        *options += 1;
    } else {
        ordering = __verify_lib_getenv("POSIXLY_CORRECT") != NULL ? REQUIRE_ORDER : PERMUTE;
    }
    initialised = 1;
}

static int long_option(int argc, char **argv, const char *options, const struct option *longs, int *index, int long_only,
                       const char *prefix, int quiet)
{
    const char *end = next_char;
    while (*end != 0 && *end != '=')
        end++;
    size_t n = (size_t)(end - next_char);
    const struct option *found = NULL;
    int at = -1, ambiguous = 0, count = 0;
    for (; longs[count].name != NULL; count++) {
        if (vm_strncmp(longs[count].name, next_char, n) == 0 && longs[count].name[n] == 0) {
            found = &longs[count];
            at = count;
            break;
        }
    }
    if (found == NULL) {
        for (int i = 0; i < count; i++) {
            if (vm_strncmp(longs[i].name, next_char, n) != 0)
                continue;
            if (found == NULL) {
                found = &longs[i];
                at = i;
            } else if (long_only || found->has_arg != longs[i].has_arg || found->flag != longs[i].flag
                       || found->val != longs[i].val) {
                ambiguous = 1;
            }
        }
    }
    if (ambiguous) {
        say(argv[0], ": option '", prefix, next_char, "' is ambiguous; possibilities:", "", "");
        for (int i = 0; i < count; i++) {
            if (vm_strncmp(longs[i].name, next_char, n) == 0)
                say(" '", prefix, longs[i].name, "'", "", "", "");
        }
        say("\n", "", "", "", "", "", "");
        next_char += vm_strlen(next_char);
        optind++;
        last_bad = 0;
        return '?';
    }
    if (found == NULL) {
        /* With a single dash of getopt_long_only it may still be a short option. */
        if (!long_only || argv[optind][1] == '-') {
            say(argv[0], ": unrecognized option '", prefix, next_char, "'\n", "", "");
            next_char = NULL;
            optind++;
            last_bad = 0;
            return '?';
        }
        for (const char *o = options; *o != 0; o++) {
            if (*o == *next_char)
                return -1;
        }
        say(argv[0], ": unrecognized option '", prefix, next_char, "'\n", "", "");
        next_char = NULL;
        optind++;
        last_bad = 0;
        return '?';
    }
    optind++;
    next_char = NULL;
    if (*end == '=') {
        if (found->has_arg == no_argument) {
            say(argv[0], ": option '", prefix, found->name, "' doesn't allow an argument\n", "", "");
            last_bad = found->val;
            return '?';
        }
        optarg = (char *)end + 1;
    } else if (found->has_arg == required_argument) {
        if (optind < argc) {
            optarg = argv[optind++];
        } else {
            say(argv[0], ": option '", prefix, found->name, "' requires an argument\n", "", "");
            last_bad = found->val;
            return options[0] == ':' ? ':' : '?';
        }
    }
    if (index != NULL)
        *index = at;
    if (found->flag != NULL) {
        *found->flag = found->val;
        return 0;
    }
    return found->val;
}

static int next_option(int argc, char *const *arguments, const char *options, const struct option *longs, int *index,
                       int long_only)
{
    char **argv = (char **)arguments;
    if (argc < 1) {
        optopt = last_bad;
        return -1;
    }
    optarg = NULL;
    if (optind == 0 || !initialised)
        initialise(&options);
    else if (options[0] == '-' || options[0] == '+')
        options++;
    int silent = options[0] == ':';
    int saved_opterr = opterr;
    if (silent)
        opterr = 0;
    int result;
#define RETURN(value)                                                                                                 \
    do {                                                                                                              \
        result = (value);                                                                                             \
        opterr = saved_opterr;                                                                                        \
        optopt = last_bad;                                                                                            \
        return result;                                                                                                \
    } while (0)
#define IS_OPTION(a) ((a)[0] == '-' && (a)[1] != 0)
    if (next_char == NULL || *next_char == 0) {
        if (last_nonopt > optind)
            last_nonopt = optind;
        if (first_nonopt > optind)
            first_nonopt = optind;
        if (ordering == PERMUTE) {
            if (first_nonopt != last_nonopt && last_nonopt != optind)
                exchange(argv);
            else if (last_nonopt != optind)
                first_nonopt = optind;
            while (optind < argc && !IS_OPTION(argv[optind]))
                optind++;
            last_nonopt = optind;
        }
        if (optind != argc && vm_strcmp(argv[optind], "--") == 0) {
            optind++;
            if (first_nonopt != last_nonopt && last_nonopt != optind)
                exchange(argv);
            else if (first_nonopt == last_nonopt)
                first_nonopt = optind;
            last_nonopt = argc;
            optind = argc;
        }
        if (optind == argc) {
            if (first_nonopt != last_nonopt)
                optind = first_nonopt;
            RETURN(-1);
        }
        if (!IS_OPTION(argv[optind])) {
            if (ordering == REQUIRE_ORDER)
                RETURN(-1);
            optarg = argv[optind++];
            RETURN(1);
        }
        if (longs != NULL) {
            if (argv[optind][1] == '-') {
                next_char = argv[optind] + 2;
                RETURN(long_option(argc, argv, options, longs, index, long_only, "--", silent));
            }
            int known = 0;
            for (const char *o = options; *o != 0; o++)
                known |= *o == argv[optind][1];
            if (long_only && (argv[optind][2] != 0 || !known)) {
                next_char = argv[optind] + 1;
                int code = long_option(argc, argv, options, longs, index, long_only, "-", silent);
                if (code != -1)
                    RETURN(code);
            }
        }
        next_char = argv[optind] + 1;
    }
    char c = *next_char++;
    char text[2] = {c, 0};
    const char *o = options;
    while (*o != 0 && *o != c)
        o++;
    if (*next_char == 0)
        optind++;
    if (*o == 0 || c == ':' || c == ';') {
        say(argv[0], ": invalid option -- '", text, "'\n", "", "", "");
        last_bad = (unsigned char)c;
        RETURN('?');
    }
    if (o[0] == 'W' && o[1] == ';' && longs != NULL)
        __verify_unmodelled("getopt_long with W;");
    if (o[1] == ':') {
        if (o[2] == ':') {
            if (*next_char != 0) {
                optarg = next_char;
                optind++;
            }
            next_char = NULL;
        } else {
            if (*next_char != 0) {
                optarg = next_char;
                optind++;
            } else if (optind == argc) {
                say(argv[0], ": option requires an argument -- '", text, "'\n", "", "", "");
                last_bad = (unsigned char)c;
                next_char = NULL;
                RETURN(silent ? ':' : '?');
            } else {
                optarg = argv[optind++];
            }
            next_char = NULL;
        }
    }
    RETURN((unsigned char)c);
}

int getopt(int argc, char *const *argv, const char *options)
{
    return next_option(argc, argv, options, NULL, NULL, 0);
}

int __posix_getopt(int argc, char *const *argv, const char *options)
{
    if (!initialised || optind == 0) {
        const char *o = options;
        initialise(&o);
        ordering = REQUIRE_ORDER;
    }
    return next_option(argc, argv, options, NULL, NULL, 0);
}

int getopt_long(int argc, char *const *argv, const char *options, const struct option *longs, int *index)
{
    return next_option(argc, argv, options, longs, index, 0);
}

int getopt_long_only(int argc, char *const *argv, const char *options, const struct option *longs, int *index)
{
    return next_option(argc, argv, options, longs, index, 1);
}

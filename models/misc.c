/* Small headers: <err.h>, <error.h>, <libgen.h>, <arpa/inet.h> byte order. */
#include "stdio_internal.h"
#include <arpa/inet.h>
#include <error.h>
#include <libgen.h>
#include <stdlib.h>
#undef htons
#undef htonl
#undef ntohs
#undef ntohl

/* Set by the start of the program, from argv[0]. */
char *program_invocation_name = "program", *program_invocation_short_name = "program", *__progname = "program";

/* Called by the interpreter before the constructors, where it knows argv. */
void __verify_lib_start(int argc, char **argv)
{
    if (argc > 0 && argv[0] != NULL) {
        program_invocation_name = program_invocation_short_name = argv[0];
        for (char *p = argv[0]; *p != 0; p++) {
            if (*p == '/')
                program_invocation_short_name = p + 1;
        }
        __progname = program_invocation_short_name;
    }
}

static void say(const char *text)
{
    __verify_lib_put(stream_of(stderr), text, vm_strlen(text));
}

static void say_number(unsigned n)
{
    char digits[12];
    int at = 12;
    digits[--at] = 0;
    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n != 0);
    say(digits + at);
}

static void say_errno(int e)
{
    const char *text = __verify_lib_strerror(e);
    say(": ");
    if (text != NULL) {
        say(text);
    } else {
        say("Unknown error ");
        if (e < 0)
            say("-");
        say_number(e < 0 ? 0u - (unsigned)e : (unsigned)e);
    }
}

/* "program: message[: text of errno]" */
static void warning(int with_errno, int e, const char *format, va_list ap)
{
    say(program_invocation_short_name);
    say(": ");
    if (format != NULL)
        __verify_lib_vfprintf(stderr, format, ap);
    if (with_errno) {
        const char *text = __verify_lib_strerror(e);
        if (format != NULL)
            say(": ");
        say(text != NULL ? text : "Unknown error");
    }
    say("\n");
}

#define WARN(name, vname, with_errno)                                                                                 \
    void vname(const char *format, va_list ap) { warning(with_errno, errno, format, ap); }                            \
    void name(const char *format, ...)                                                                                \
    {                                                                                                                 \
        va_list ap;                                                                                                   \
        va_start(ap, format);                                                                                         \
        warning(with_errno, errno, format, ap);                                                                       \
        va_end(ap);                                                                                                   \
    }

WARN(warn, vwarn, 1)
WARN(warnx, vwarnx, 0)

#define ERR(name, vname, with_errno)                                                                                  \
    void vname(int status, const char *format, va_list ap)                                                            \
    {                                                                                                                 \
        warning(with_errno, errno, format, ap);                                                                       \
        exit(status);                                                                                                 \
    }                                                                                                                 \
    void name(int status, const char *format, ...)                                                                    \
    {                                                                                                                 \
        va_list ap;                                                                                                   \
        va_start(ap, format);                                                                                         \
        warning(with_errno, errno, format, ap);                                                                       \
        va_end(ap);                                                                                                   \
        exit(status);                                                                                                 \
    }

ERR(err, verr, 1)
ERR(errx, verrx, 0)

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void report(int status, int e, const char *file, unsigned line, const char *format, va_list ap)
{
    __verify_lib_flush(stream_of(stdout));
    if (error_print_progname != NULL)
        error_print_progname();
    else
        say(program_invocation_name);
    say(":");
    if (file != NULL) {
        say(file);
        say(":");
        say_number(line);
        say(": ");
    } else if (error_print_progname == NULL) {
        say(" ");
    }
    __verify_lib_vfprintf(stderr, format, ap);
    error_message_count++;
    if (e != 0)
        say_errno(e);
    say("\n");
    if (status != 0)
        exit(status);
}

void error(int status, int e, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    report(status, e, NULL, 0, format, ap);
    va_end(ap);
}

void error_at_line(int status, int e, const char *file, unsigned line, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    report(status, e, file, line, format, ap);
    va_end(ap);
}

/* ---- Paths */

/* Cuts the string behind the last component and gives the directory. */
char *dirname(char *path)
{
    static char dot[] = ".";
    if (path == NULL)
        return dot;
    size_t n = vm_strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n == 0)
        return dot;
    size_t root = 0;
    while (n > 1 && path[n - 1] == '/')
        n--;
    if (n == 1 && path[0] == '/') {
        /* Exactly two slashes at the beginning stay two. */
        root = path[1] == '/' && path[2] != '/' ? 1 : 0;
        n += root;
    }
    path[n] = 0;
    return path;
}

/* POSIX basename: cuts trailing slashes. */
char *__xpg_basename(char *path)
{
    static char dot[] = ".";
    if (path == NULL || path[0] == 0)
        return dot;
    size_t n = vm_strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    path[n] = 0;
    while (n > 0 && path[n - 1] != '/')
        n--;
    return path[n] != 0 ? path + n : path + n - 1;
}

/* ---- Byte order */

uint16_t htons(uint16_t x)
{
    const unsigned char order[2] = {(unsigned char)(x >> 8), (unsigned char)x};
    uint16_t r;
    __builtin_memcpy(&r, order, sizeof r);
    return r;
}

uint32_t htonl(uint32_t x)
{
    const unsigned char order[4] = {(unsigned char)(x >> 24), (unsigned char)(x >> 16), (unsigned char)(x >> 8), (unsigned char)x};
    uint32_t r;
    __builtin_memcpy(&r, order, sizeof r);
    return r;
}

uint16_t ntohs(uint16_t x)
{
    unsigned char order[2];
    __builtin_memcpy(order, &x, sizeof x);
    return (uint16_t)(order[0] << 8 | order[1]);
}

uint32_t ntohl(uint32_t x)
{
    unsigned char order[4];
    __builtin_memcpy(order, &x, sizeof x);
    return (uint32_t)order[0] << 24 | (uint32_t)order[1] << 16 | (uint32_t)order[2] << 8 | order[3];
}

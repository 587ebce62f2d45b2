/* The names of the scanf family. Headers give the plain names the symbols __isoc99_* (since C99) or __isoc23_*; the plain
 * symbols are the older dialect. */
#include "internal.h"

/* Not <stdio.h>: its declarations of scanf carry other symbols. */
struct _IO_FILE;
typedef struct _IO_FILE FILE;
extern FILE *stdin;
int __verify_lib_vfscanf(FILE *f, const char *format, va_list ap, int legacy);
int __verify_lib_vsscanf(const char *text, const char *format, va_list ap, int legacy);

#define WITH_ARGUMENTS(call)                                                                                          \
    va_list ap;                                                                                                       \
    va_start(ap, format);                                                                                             \
    int n = call;                                                                                                     \
    va_end(ap);                                                                                                       \
    return n

#define FAMILY(prefix, legacy)                                                                                        \
    int prefix##scanf(const char *format, ...) { WITH_ARGUMENTS(__verify_lib_vfscanf(stdin, format, ap, legacy)); }   \
    int prefix##fscanf(FILE *f, const char *format, ...)                                                              \
    {                                                                                                                 \
        WITH_ARGUMENTS(__verify_lib_vfscanf(f, format, ap, legacy));                                                  \
    }                                                                                                                 \
    int prefix##sscanf(const char *text, const char *format, ...)                                                     \
    {                                                                                                                 \
        WITH_ARGUMENTS(__verify_lib_vsscanf(text, format, ap, legacy));                                               \
    }                                                                                                                 \
    int prefix##vscanf(const char *format, va_list ap) { return __verify_lib_vfscanf(stdin, format, ap, legacy); }    \
    int prefix##vfscanf(FILE *f, const char *format, va_list ap)                                                      \
    {                                                                                                                 \
        return __verify_lib_vfscanf(f, format, ap, legacy);                                                           \
    }                                                                                                                 \
    int prefix##vsscanf(const char *text, const char *format, va_list ap)                                             \
    {                                                                                                                 \
        return __verify_lib_vsscanf(text, format, ap, legacy);                                                        \
    }

FAMILY(, 1)
FAMILY(__isoc99_, 0)
FAMILY(__isoc23_, 0)

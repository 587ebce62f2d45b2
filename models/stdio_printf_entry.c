/* The names of the printf family: plain, v-, and fortified. The fortified forms take one flag more, which forbids %n in
 * writable formats; that is not modelled, since it depends on where the format lies in the process. */
#include "stdio_internal.h"
#undef printf
#undef fprintf
#undef sprintf
#undef snprintf
#undef vprintf
#undef vfprintf
#undef vsprintf
#undef vsnprintf

#define WITH_ARGUMENTS(call)                                                                                          \
    va_list ap;                                                                                                       \
    va_start(ap, format);                                                                                             \
    int n = call;                                                                                                     \
    va_end(ap);                                                                                                       \
    return n

static const char too_long[] = "sprintf writes past the end of the buffer";
static const char bad_size[] = "snprintf is given a size past the end of the buffer";

int printf(const char *format, ...) { WITH_ARGUMENTS(__verify_lib_vfprintf(stdout, format, ap)); }
int fprintf(FILE *f, const char *format, ...) { WITH_ARGUMENTS(__verify_lib_vfprintf(f, format, ap)); }
int sprintf(char *out, const char *format, ...)
{
    WITH_ARGUMENTS(__verify_lib_vsnprintf(out, SIZE_MAX, format, ap));
}
int snprintf(char *out, size_t size, const char *format, ...)
{
    WITH_ARGUMENTS(__verify_lib_vsnprintf(out, size, format, ap));
}
int asprintf(char **out, const char *format, ...) { WITH_ARGUMENTS(__verify_lib_vasprintf(out, format, ap)); }
int __asprintf(char **out, const char *format, ...) { WITH_ARGUMENTS(__verify_lib_vasprintf(out, format, ap)); }

int vprintf(const char *format, va_list ap) { return __verify_lib_vfprintf(stdout, format, ap); }
int vfprintf(FILE *f, const char *format, va_list ap) { return __verify_lib_vfprintf(f, format, ap); }
int vsprintf(char *out, const char *format, va_list ap) { return __verify_lib_vsnprintf(out, SIZE_MAX, format, ap); }
int vsnprintf(char *out, size_t size, const char *format, va_list ap)
{
    return __verify_lib_vsnprintf(out, size, format, ap);
}
int vasprintf(char **out, const char *format, va_list ap) { return __verify_lib_vasprintf(out, format, ap); }

int __printf_chk(int flag, const char *format, ...) { WITH_ARGUMENTS(__verify_lib_vfprintf(stdout, format, ap)); }
int __fprintf_chk(FILE *f, int flag, const char *format, ...) { WITH_ARGUMENTS(__verify_lib_vfprintf(f, format, ap)); }
int __sprintf_chk(char *out, int flag, size_t have, const char *format, ...)
{
    WITH_ARGUMENTS(__verify_lib_vsprintf_bounded(out, have, format, ap, too_long));
}
int __snprintf_chk(char *out, size_t size, int flag, size_t have, const char *format, ...)
{
    vm_chk(size, have, bad_size);
    WITH_ARGUMENTS(__verify_lib_vsnprintf(out, size, format, ap));
}
int __asprintf_chk(char **out, int flag, const char *format, ...)
{
    WITH_ARGUMENTS(__verify_lib_vasprintf(out, format, ap));
}

int __vprintf_chk(int flag, const char *format, va_list ap) { return __verify_lib_vfprintf(stdout, format, ap); }
int __vfprintf_chk(FILE *f, int flag, const char *format, va_list ap) { return __verify_lib_vfprintf(f, format, ap); }
int __vsprintf_chk(char *out, int flag, size_t have, const char *format, va_list ap)
{
    return __verify_lib_vsprintf_bounded(out, have, format, ap, too_long);
}
int __vsnprintf_chk(char *out, size_t size, int flag, size_t have, const char *format, va_list ap)
{
    vm_chk(size, have, bad_size);
    return __verify_lib_vsnprintf(out, size, format, ap);
}
int __vasprintf_chk(char **out, int flag, const char *format, va_list ap)
{
    return __verify_lib_vasprintf(out, format, ap);
}

static int print_to_descriptor(int fd, const char *format, va_list ap)
{
    char small[256], *text = small;
    va_list again;
    va_copy(again, ap);
    int n = __verify_lib_vsnprintf(small, sizeof small, format, again);
    va_end(again);
    if (n >= (int)sizeof small) {
        text = __verify_alloc((unsigned long)n + 1, 1, VERIFY_FAMILY_MALLOC);
        __verify_lib_vsnprintf(text, (size_t)n + 1, format, ap);
    }
    int done = 0;
    while (done < n) {
        long r = vm_write(fd, text + done, (unsigned long)(n - done));
        if (r < 0) {
            errno = (int)-r;
            n = -1;
        } else {
            done += (int)r;
        }
    }
    if (text != small)
        __verify_free(text, VERIFY_FAMILY_MALLOC);
    return n;
}

int dprintf(int fd, const char *format, ...) { WITH_ARGUMENTS(print_to_descriptor(fd, format, ap)); }
int vdprintf(int fd, const char *format, va_list ap) { return print_to_descriptor(fd, format, ap); }
int __dprintf_chk(int fd, int flag, const char *format, ...) { WITH_ARGUMENTS(print_to_descriptor(fd, format, ap)); }
int __vdprintf_chk(int fd, int flag, const char *format, va_list ap) { return print_to_descriptor(fd, format, ap); }

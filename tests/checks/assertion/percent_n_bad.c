// %n writes: also where the format is put together, and where the pointer goes through a va_list.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vprintf(format, ap);
    va_end(ap);
}

int main(int argc, char **argv)
{
    (void)argv;
    static int n = 0;
    char format[8] = "ab%";
    format[3] = argc > 0 ? 'n' : '%';
    say(format, &n);
    assert(n == 0); //~ violated[assertion]
    return 0;
}

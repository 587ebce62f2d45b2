// The name of the locale is the library's.
#include <locale.h>
#include <string.h>

int main(void)
{
    char *name = setlocale(LC_ALL, NULL);
    if (strcmp(name, "C") != 0)
        return 1;
    *name = 'D'; //~ violated[read-only-write]
    return 0;
}

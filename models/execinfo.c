/* <execinfo.h>: the calls that led here, as addresses of which nothing is known and texts of any content. */
#include "internal.h"
#include <execinfo.h>
#include <stdlib.h>

enum { LONGEST = 255 };

int backtrace(void **out, int size)
{
    __verify_analysis_only("backtrace");
    VM_DEFINED(size, "backtrace");
    if (size <= 0)
        return 0;
    int n = (int)(__verify_nondet_u64("backtrace") % ((unsigned long)size + 1));
    __verify_nondet_bytes(out, (size_t)n * sizeof *out, "backtrace");
    return n;
}

/* One piece of memory holds the pointers and the texts. */
char **backtrace_symbols(void *const *addresses, int size)
{
    __verify_analysis_only("backtrace_symbols");
    if (size < 0)
        return NULL;
    __verify_check_defined(addresses, (size_t)size * sizeof *addresses, "backtrace_symbols");
    char **list = malloc((size_t)size * (sizeof *list + LONGEST + 1));
    if (list == NULL)
        return NULL;
    char *text = (char *)(list + size);
    for (int i = 0; i < size; i++) {
        list[i] = text;
        text += vm_text(text, LONGEST, "backtrace_symbols");
    }
    return list;
}

void backtrace_symbols_fd(void *const *addresses, int size, int fd)
{
    __verify_analysis_only("backtrace_symbols_fd");
    if (size > 0)
        __verify_check_defined(addresses, (size_t)size * sizeof *addresses, "backtrace_symbols_fd");
    VM_DEFINED(fd, "backtrace_symbols_fd");
}

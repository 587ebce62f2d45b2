// What a system may refuse: locking memory, advice about memory and files, more rights for memory, a stack that is too small.
// run: no
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
    int zero = argc - argc;
    char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 1;
    if (argc == 2 && mlock(p, 8192) != 0)
        return 1 / zero; //~ violated[div-by-zero]
    if (argc == 3 && madvise(p, 8192, MADV_DONTNEED) != 0)
        return 1 / zero; //~ violated[div-by-zero]
    if (argc == 4 && mprotect(p, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return 1 / zero; //~ violated[div-by-zero]
    if (argc == 5 && posix_fadvise(0, 0, 0, POSIX_FADV_SEQUENTIAL) != 0)
        return 1 / zero; //~ violated[div-by-zero]
    pthread_attr_t a;
    if (argc == 6 && pthread_attr_init(&a) == 0 && pthread_attr_setstacksize(&a, 4096) != 0)
        return 1 / zero; //~ violated[div-by-zero]
    return 0;
}

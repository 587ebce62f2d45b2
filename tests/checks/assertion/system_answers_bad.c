// What the system may answer besides the usual: other users' numbers, no limit, none of the members of a structure left out.
// run: no
// scan: --timeout 60
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static void status(int which, const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return;
    switch (which) {
    case 0: assert(s.st_mtim.tv_nsec == 0); break;               //~ violated[assertion]
    case 1: assert(s.st_blocks == (s.st_size + 511) / 512); break; //~ violated[assertion]
    case 2: assert((int)s.st_uid >= 0); break;                   //~ violated[assertion]
    default: assert(s.st_blksize == 4096); break;                //~ violated[assertion]
    }
}

static void removed(void)
{
    struct stat s;
    if (fstat(0, &s) == 0)
        assert(s.st_nlink > 0); //~ violated[assertion]
}

static void limits(int which)
{
    switch (which) {
    case 0: assert(sysconf(_SC_AIO_MAX) >= 0); break;           //~ violated[assertion]
    case 1: assert(sysconf(_SC_ARG_MAX) <= INT_MAX); break;     //~ violated[assertion]
    default: assert(sysconf(_SC_NPROCESSORS_ONLN) <= 64); break; //~ violated[assertion]
    }
}

static void identity(int which)
{
    switch (which) {
    case 0: assert(getuid() == geteuid()); break;  //~ violated[assertion]
    case 1: assert(getuid() < 5000000); break;     //~ violated[assertion]
    case 2: assert(getppid() == getppid()); break; //~ violated[assertion]
    default: assert(getppid() > 0); break;         //~ violated[assertion]
    }
}

static void process(int which)
{
    double load[3];
    switch (which) {
    case 0: assert(umask(0) == 022); break;              //~ violated[assertion]
    case 1: assert(system(NULL) != 0); break;            //~ violated[assertion]
    default: assert(getloadavg(load, 3) < 0); break;     //~ violated[assertion]
    }
}

static void times_of(int which)
{
    struct rusage used;
    struct timespec resolution;
    struct tms spent;
    switch (which) {
    case 0:
        if (getrusage(RUSAGE_SELF, &used) == 0)
            assert(used.ru_minflt == 0); //~ violated[assertion]
        break;
    case 1:
        times(&spent);
        assert(spent.tms_cutime == 0); //~ violated[assertion]
        break;
    default:
        if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) == 0)
            assert(resolution.tv_nsec == 1); //~ violated[assertion]
    }
}

static void random_bytes(int which)
{
    static char bytes[4096];
    ssize_t n = getrandom(bytes, sizeof bytes, 0);
    if (which == 0)
        assert(n < 0 || n == sizeof bytes); //~ violated[assertion]
    else if (n < 0)
        assert(errno == EAGAIN); //~ violated[assertion]
}

static void to_disk(void)
{
    if (fsync(1) < 0)
        assert(errno == EIO); //~ violated[assertion]
}

static void resolved(void)
{
    static char path[PATH_MAX] = "x";
    if (realpath("name", path) == NULL)
        assert(path[0] == 'x'); //~ violated[assertion]
}

int main(int argc, char **argv)
{
    int c = getchar(), which = getchar() & 3;
    switch (c & 15) {
    case 1: status(which, argv[0]); break;
    case 2: removed(); break;
    case 3: limits(which); break;
    case 4: identity(which); break;
    case 5: process(which); break;
    case 6: times_of(which); break;
    case 7: random_bytes(which); break;
    case 8: to_disk(); break;
    case 9: resolved(); break;
    }
    return 0;
}

/* What Linux has besides: <sys/sendfile.h>, <sys/inotify.h>, <sys/signalfd.h>, <sys/sysinfo.h>, <sched.h>, <sys/mman.h>,
 * <sys/uio.h>, <sys/auxv.h>, timers of <sys/time.h>, terminals of <stdlib.h>. A copy from file to file moves some bytes, or none;
 * nobody sees which. No timer rings. */
#include "internal.h"
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <gnu/libc-version.h>
#include <time.h>
#include <unistd.h>

static vm_reasons no_transfer = {EAGAIN, EINVAL, EIO, ENOMEM, EOVERFLOW, EBADF, ENOSPC, EPIPE};

extern int __verify_lib_peeked_of; /* socket.c */

/* How many of n bytes go; places in the files move on. */
static ssize_t moved(const char *what, int a, int b, off64_t *from, off64_t *to, size_t n)
{
    __verify_analysis_only(what);
    long places[2] = {from != NULL ? *from : 0, to != NULL ? *to : 0};
    __verify_lib_peeked_of = -1;
    if (vm_no_descriptor(a) || vm_no_descriptor(b) || vm_fails(what, no_transfer))
        return -1;
    size_t most = n > 0x7ffff000 ? 0x7ffff000 : n, done = __verify_nondet_u64(what) % (most + 1);
    if (from != NULL && __builtin_add_overflow(places[0], (long)done, from))
        done = 0;
    if (to != NULL && __builtin_add_overflow(places[1], (long)done, to))
        done = 0;
    return (ssize_t)done;
}

ssize_t sendfile(int out, int in, off_t *at, size_t n) { return moved("sendfile", out, in, at, NULL, n); }
ssize_t sendfile64(int out, int in, off64_t *at, size_t n) { return moved("sendfile", out, in, at, NULL, n); }
ssize_t splice(int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags)
{
    return moved("splice", in, out, from, to, n);
}
ssize_t tee(int in, int out, size_t n, unsigned flags) { return moved("tee", in, out, NULL, NULL, n); }
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags)
{
    return moved("copy_file_range", in, out, from, to, n);
}

/* ---- Descriptors of other things. */

void __verify_lib_made(int fd, int kind); /* system.c */
int __verify_lib_kind(int fd);

static vm_reasons no_descriptor = {EMFILE, ENFILE, ENOMEM, EINVAL, EMFILE, ENFILE, EMFILE, ENFILE};

static int new_descriptor(const char *what, int kind)
{
    __verify_analysis_only(what);
    int fd = vm_descriptor(what, no_descriptor);
    __verify_lib_made(fd, kind);
    return fd;
}

int inotify_init(void) { return new_descriptor("inotify_init", VM_NOTES); }
int inotify_init1(int flags) { return new_descriptor("inotify_init1", VM_NOTES); }
int memfd_create(const char *name, unsigned flags)
{
    vm_path(name);
    return new_descriptor("memfd_create", VM_FILE);
}
int shm_open(const char *name, int flags, mode_t mode)
{
    vm_path(name);
    return new_descriptor("shm_open", VM_FILE);
}
int posix_openpt(int flags) { return new_descriptor("posix_openpt", VM_FILE); }
int signalfd(int fd, const sigset_t *set, int flags)
{
    __verify_check_defined(set, sizeof(long), "signalfd");
    if (fd == -1)
        return new_descriptor("signalfd", VM_SIGNALS);
    __verify_analysis_only("signalfd");
    return vm_no_descriptor(fd) || vm_fails("signalfd", no_descriptor) ? -1 : fd;
}

static int fails_or(const char *what, int fd, vm_reasons why)
{
    __verify_analysis_only(what);
    return vm_no_descriptor(fd) || vm_fails(what, why) ? -1 : 0;
}

static vm_reasons no_watch = {EACCES, EBADF, EINVAL, ENOENT, ENOMEM, ENOSPC, ENOTDIR, ENAMETOOLONG};

int inotify_add_watch(int fd, const char *path, uint32_t mask)
{
    vm_path(path);
    VM_DEFINED(mask, "inotify_add_watch");
    if (fails_or("inotify_add_watch", fd, no_watch) < 0)
        return -1;
    return 1 + (int)(__verify_nondet_u64("inotify_add_watch") & 0x3fffffff);
}
int inotify_rm_watch(int fd, int watch) { return fails_or("inotify_rm_watch", fd, no_watch); }
int shm_unlink(const char *name)
{
    vm_path(name);
    return fails_or("shm_unlink", 0, no_watch);
}

/* Eight bytes of a counter that is not null. */
static int counts(const char *what, int fd)
{
    if (fails_or(what, fd, no_transfer) == 0)
        return 0;
    if (__verify_lib_kind(fd) == VM_EVENTS && errno != EINVAL)
        errno = errno == EAGAIN ? EAGAIN : EINTR;
    return -1;
}
int eventfd_read(int fd, eventfd_t *out)
{
    if (counts("eventfd_read", fd) < 0)
        return -1;
    *out = __verify_nondet_u64("eventfd_read");
    if (*out == 0)
        *out = 1;
    return 0;
}
int eventfd_write(int fd, eventfd_t value)
{
    VM_DEFINED(value, "eventfd_write");
    return counts("eventfd_write", fd);
}

static vm_reasons no_terminal = {ENOTTY, EBADF, EINVAL, EACCES, ENOTTY, ENOTTY, ENOTTY, ENOTTY};

int grantpt(int fd) { return fails_or("grantpt", fd, no_terminal); }
int unlockpt(int fd) { return fails_or("unlockpt", fd, no_terminal); }
char *ptsname(int fd)
{
    static char text[64];
    if (fails_or("ptsname", fd, no_terminal) < 0)
        return NULL;
    vm_text(text, sizeof text - 1, "ptsname");
    return text;
}
int ptsname_r(int fd, char *out, size_t n)
{
    if (fails_or("ptsname_r", fd, no_terminal) < 0)
        return errno;
    if (n == 0 || __verify_nondet_u64("ptsname_r") & 1) {
        errno = ERANGE;
        return ERANGE;
    }
    vm_text(out, n - 1, "ptsname_r");
    return 0;
}

/* ---- The processor and its time. */

/* Seconds for longer than any machine has run, and bytes that an address of a machine may count. The processes are counted
 * in 16 bits, which may come round to 0. */
#define SOME_TIME 0xffffffffffL
#define SOME_MEMORY (ULONG_MAX > UINT_MAX ? (unsigned long)(1ULL << 56) : ULONG_MAX)

static unsigned long no_more(unsigned long n, unsigned long most) { return n > most ? most : n; }

int sysinfo(struct sysinfo *out)
{
    __verify_analysis_only("sysinfo");
    __builtin_memset(out, 0, sizeof *out);
    __verify_nondet_bytes(out, offsetof(struct sysinfo, _f), "sysinfo");
    out->uptime &= SOME_TIME & LONG_MAX;
    if (out->totalram == 0)
        out->totalram = 1;
    out->mem_unit = out->mem_unit & 1 ? 1 : 4096;
    out->totalram = no_more(out->totalram, SOME_MEMORY);
    out->freeram = no_more(out->freeram, out->totalram);
    out->sharedram = no_more(out->sharedram, out->totalram);
    out->bufferram = no_more(out->bufferram, out->totalram);
    out->freeswap = no_more(out->freeswap, out->totalswap);
    out->totalhigh = no_more(out->totalhigh, out->totalram);
    out->freehigh = no_more(out->freehigh, out->totalhigh);
    return 0;
}

static vm_reasons no_process = {ESRCH, EINVAL, EPERM, ESRCH, ESRCH, ESRCH, ESRCH, ESRCH};

int sched_getaffinity(pid_t pid, size_t n, cpu_set_t *out)
{
    VM_DEFINED(pid, "sched_getaffinity");
    if (n == 0 || n % sizeof(long) != 0) {
        errno = EINVAL;
        return -1;
    }
    if (fails_or("sched_getaffinity", 0, no_process) < 0)
        return -1;
    __verify_nondet_bytes(out, n, "sched_getaffinity");
    /* There is one where it runs. */
    unsigned long one = __verify_nondet_u64("sched_getaffinity");
    ((unsigned char *)out)[one / 8 % n] |= 1 << one % 8;
    return 0;
}
int sched_setaffinity(pid_t pid, size_t n, const cpu_set_t *in)
{
    __verify_check_defined(in, n, "sched_setaffinity");
    return fails_or("sched_setaffinity", 0, no_process);
}
int sched_getcpu(void)
{
    __verify_analysis_only("sched_getcpu");
    return (int)(__verify_nondet_u64("sched_getcpu") & 8191);
}

int __sched_cpucount(size_t n, const cpu_set_t *set)
{
    int count = 0;
    for (size_t i = 0; i < n / sizeof(__cpu_mask); i++) {
        for (__cpu_mask word = set->__bits[i]; word != 0; word &= word - 1)
            count++;
    }
    return count;
}
cpu_set_t *__sched_cpualloc(size_t count) { return malloc(CPU_ALLOC_SIZE(count)); }
void __sched_cpufree(cpu_set_t *set) { free(set); }

static int is_time(long seconds, long parts, long most)
{
    if (seconds >= 0 && parts >= 0 && parts < most)
        return 1;
    errno = EINVAL;
    return 0;
}

static vm_reasons no_clock = {EPERM, EINVAL, EPERM, EPERM, EPERM, EPERM, EPERM, EPERM};

int settimeofday(const struct timeval *to, const struct timezone *zone)
{
    return to != NULL && !is_time(to->tv_sec, to->tv_usec, 1000000) ? -1 : fails_or("settimeofday", 0, no_clock);
}
int clock_settime(clockid_t clock, const struct timespec *to)
{
    return is_time(to->tv_sec, to->tv_nsec, 1000000000) ? fails_or("clock_settime", 0, no_clock) : -1;
}

/* What is left of an alarm that was set is anything up to it. */
static struct itimerval timers[3];

void __verify_lib_alarm(struct itimerval *out); /* time.c */
void __verify_lib_set_alarm(const struct itimerval *to);

static int get_timer(int which, struct itimerval *out)
{
    if (which < 0 || which > 2) {
        errno = EINVAL;
        return -1;
    }
    if (which == ITIMER_REAL) {
        __verify_lib_alarm(out);
        return 0;
    }
    struct itimerval t = timers[which];
    if (t.it_value.tv_sec > 0)
        t.it_value.tv_sec = (long)(__verify_nondet_u64("getitimer") % ((unsigned long)t.it_value.tv_sec + 1));
    if (t.it_value.tv_usec > 0)
        t.it_value.tv_usec = (long)(__verify_nondet_u64("getitimer") % ((unsigned long)t.it_value.tv_usec + 1));
    *out = t;
    return 0;
}
int getitimer(__itimer_which_t which, struct itimerval *out) { return get_timer((int)which, out); }
int setitimer(__itimer_which_t which, const struct itimerval *to, struct itimerval *before)
{
    struct itimerval t;
    if (get_timer((int)which, &t) < 0)
        return -1;
    if (!is_time(to->it_value.tv_sec, to->it_value.tv_usec, 1000000) ||
        !is_time(to->it_interval.tv_sec, to->it_interval.tv_usec, 1000000))
        return -1;
    if (which == ITIMER_REAL)
        __verify_lib_set_alarm(to);
    else
        timers[which] = *to;
    if (before != NULL)
        *before = t;
    return 0;
}

/* ---- Memory, and what there is to know of the process. */

void *mremap(void *p, size_t before, size_t n, int flags, ...)
{
    size_t old = (before + 4095) / 4096 * 4096, whole = (n + 4095) / 4096 * 4096;
    if (n == 0 || (uintptr_t)p % 4096 != 0) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    if (!(flags & MREMAP_MAYMOVE) || flags != MREMAP_MAYMOVE || __verify_object_size(p) != old)
        __verify_unmodelled("mremap that may not move all of a mapping");
    if (n > VM_LARGEST - 4096 || __verify_choose_failure("mremap")) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    char *q = __verify_alloc(whole, 4096, VERIFY_FAMILY_MMAP);
    __builtin_memset(q, 0, whole);
    __builtin_memcpy(q, p, old < whole ? old : whole);
    __verify_free(p, VERIFY_FAMILY_MMAP);
    return q;
}

static int locked(const char *what)
{
    static vm_reasons why = {ENOMEM, EPERM, EAGAIN, EINVAL, ENOMEM, EPERM, EAGAIN, ENOMEM};
    return vm_fails(what, why) ? -1 : 0;
}
int mlockall(int flags) { return locked("mlockall"); }
int munlockall(void) { return locked("munlockall"); }

/* What the system has told the program when it began: of numbers any that does not change, of what is pointed to the random
 * bytes and the names. What is loaded where is not modelled. */
enum { TAGS = 64 };

static unsigned long own_text(char *text, size_t most, int *known)
{
    if (!*known)
        vm_text(text, most, "getauxval");
    *known = 1;
    if (text[0] == 0)
        text[0] = '.';
    return (unsigned long)text;
}

unsigned long getauxval(unsigned long what)
{
    static unsigned long values[TAGS];
    static unsigned char asked[TAGS]; /* 1: it is there, 2: it is not */
    static unsigned char bytes[16];
    static char path[4096], platform[64], base[64];
    static int with_bytes, with_path, with_platform, with_base;
    __verify_analysis_only("getauxval");
    VM_DEFINED(what, "getauxval");
    switch (what) {
    case AT_PAGESZ: return 4096;
    case AT_CLKTCK: return 100;
    case AT_RANDOM:
        if (!with_bytes)
            __verify_nondet_bytes(bytes, sizeof bytes, "getauxval");
        with_bytes = 1;
        return (unsigned long)bytes;
    case AT_EXECFN: return own_text(path, sizeof path - 1, &with_path);
    case AT_PHDR: case AT_BASE: case AT_ENTRY: case AT_SYSINFO: case AT_SYSINFO_EHDR:
        __verify_unmodelled("getauxval of an address");
    }
    if (what >= TAGS)
        __verify_unmodelled("getauxval of a number above 63");
    if (asked[what] == 0) {
        asked[what] = __verify_choose_failure("getauxval") ? 2 : 1;
        values[what] = __verify_nondet_u64("getauxval");
    }
    if (asked[what] == 2) {
        errno = ENOENT;
        return 0;
    }
    switch (what) {
    case AT_SECURE: return values[what] & 1;
    case AT_PLATFORM: return own_text(platform, sizeof platform - 1, &with_platform);
    case AT_BASE_PLATFORM: return own_text(base, sizeof base - 1, &with_base);
    default: return values[what];
    }
}

const char *gnu_get_libc_version(void) { return "2.36"; }

/* ---- <unistd.h>, <stdlib.h>, <stdio.h> */

/* What a name says does not change. */
size_t confstr(int name, char *out, size_t n)
{
    enum { NAMES = 4, MOST = 255 };
    static struct {
        int name, asked; /* asked: 1 where it is there, 2 where it is not */
        char text[MOST + 1];
    } known[NAMES];
    __verify_analysis_only("confstr");
    int i = 0;
    while (i < NAMES && known[i].asked != 0 && known[i].name != name)
        i++;
    if (i == NAMES)
        __verify_unmodelled("confstr of more than 4 names");
    if (known[i].asked == 0) {
        known[i].name = name;
        known[i].asked = __verify_choose_failure("confstr") ? 2 : 1;
        vm_text(known[i].text, MOST, "confstr");
    }
    if (known[i].asked == 2) {
        errno = EINVAL;
        return 0;
    }
    size_t need = vm_strlen(known[i].text) + 1;
    if (out != NULL && n > 0) {
        size_t kept = need < n ? need : n;
        __builtin_memcpy(out, known[i].text, kept);
        out[kept - 1] = 0;
    }
    return need;
}

static int name_of_host(const char *what, const char *name, size_t n)
{
    static vm_reasons why = {EPERM, EINVAL, EPERM, EPERM, EPERM, EPERM, EPERM, EPERM};
    __verify_check_defined(name, n, what);
    return fails_or(what, 0, why);
}
int sethostname(const char *name, size_t n) { return name_of_host("sethostname", name, n); }
int setdomainname(const char *name, size_t n) { return name_of_host("setdomainname", name, n); }

char *ctermid(char *out)
{
    static char own[16];
    if (out == NULL)
        out = own;
    __builtin_memcpy(out, "/dev/tty", sizeof "/dev/tty");
    return out;
}

/* Of what a process says about itself the settings that are numbers, and its name of 15 characters. */
static vm_reasons no_setting = {EINVAL, EPERM, EINVAL, EPERM, EINVAL, EACCES, EBUSY, EINVAL};

int prctl(int option, ...)
{
    __verify_analysis_only("prctl");
    VM_DEFINED(option, "prctl");
    char *p = NULL;
    int most = 0;
    switch (option) {
    case PR_SET_PDEATHSIG: case PR_SET_DUMPABLE: case PR_SET_KEEPCAPS: case PR_SET_NO_NEW_PRIVS: case PR_SET_CHILD_SUBREAPER:
    case PR_SET_TIMERSLACK: case PR_CAPBSET_DROP: case PR_SET_SECUREBITS:
        break;
    case PR_GET_DUMPABLE: most = 2; break;
    case PR_GET_KEEPCAPS: case PR_GET_NO_NEW_PRIVS: case PR_CAPBSET_READ: most = 1; break;
    case PR_GET_SECUREBITS: most = INT_MAX; break;
    case PR_GET_PDEATHSIG: case PR_GET_CHILD_SUBREAPER: case PR_SET_NAME: case PR_GET_NAME: {
        va_list ap;
        va_start(ap, option);
        p = va_arg(ap, char *);
        va_end(ap);
        break;
    }
    default:
        __verify_unmodelled_use("an option of prctl", NULL);
        va_list ap;
        va_start(ap, option);
        for (int i = 0; i < 4; i++)
            __verify_unmodelled_use("an option of prctl", va_arg(ap, void *));
        va_end(ap);
        __verify_unmodelled("an option of prctl");
    }
    if (option == PR_SET_NAME)
        __verify_check_defined(p, vm_strnlen(p, 15), "prctl");
    if (vm_fails("prctl", no_setting))
        return -1;
    if (option == PR_GET_PDEATHSIG || option == PR_GET_CHILD_SUBREAPER)
        *(int *)p = (int)__verify_nondet_u64("prctl");
    if (option == PR_GET_NAME) {
        __verify_nondet_bytes(p, 15, "prctl");
        p[15] = 0;
    }
    return most == 0 ? 0 : (int)(__verify_nondet_u64("prctl") % ((unsigned)most + 1));
}

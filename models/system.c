/* <sys/utsname.h>, <syslog.h>, <sys/epoll.h>, <sys/eventfd.h>, <sys/timerfd.h>: what else is asked of the system. */
#include "stdio_internal.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/utsname.h>
#include <syslog.h>

int uname(struct utsname *out)
{
    __verify_analysis_only("uname");
    vm_text(out->sysname, sizeof out->sysname - 1, "uname");
    vm_text(out->nodename, sizeof out->nodename - 1, "uname");
    vm_text(out->release, sizeof out->release - 1, "uname");
    vm_text(out->version, sizeof out->version - 1, "uname");
    vm_text(out->machine, sizeof out->machine - 1, "uname");
    vm_text(out->domainname, sizeof out->domainname - 1, "uname");
    return 0;
}

/* ---- The log: what is written there must be fit to be written. */

void openlog(const char *name, int options, int facility) {}
void closelog(void) {}
int setlogmask(int mask)
{
    static int current = 0xff;
    int before = current;
    if (mask != 0)
        current = mask;
    return before;
}
static void log_message(int priority, const char *format, va_list ap)
{
    __verify_analysis_only("syslog");
    VM_DEFINED(priority, "syslog");
    char none[1];
    __verify_lib_vsnprintf(none, sizeof none, format, ap);
}
void vsyslog(int priority, const char *format, va_list ap) { log_message(priority, format, ap); }
void syslog(int priority, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    log_message(priority, format, ap);
    va_end(ap);
}

/* ---- Descriptors: what those are that were made here (VM_FILE and so on), of numbers of the same rest the last; 0 where that
 * is not known. */

/* 1 where the descriptor was closed since something was last known of it (unistd.c), 2 where it was made anew. */
extern unsigned char __verify_lib_closed[1024];
int __verify_lib_high_closed; /* one above these was closed */
enum { DESCRIPTORS = 1024 };
static struct kind {
    int fd, kind;
} kinds[DESCRIPTORS];

extern int __verify_lib_status_of, __verify_lib_cloexec_of; /* terminal.c */
extern int __verify_lib_peeked_of;                           /* socket.c */

static void forget_what_was(int fd)
{
    if (__verify_lib_status_of == fd)
        __verify_lib_status_of = -1;
    if (__verify_lib_cloexec_of == fd)
        __verify_lib_cloexec_of = -1;
    if (__verify_lib_peeked_of == fd)
        __verify_lib_peeked_of = -1;
}

/* A new descriptor. */
void __verify_lib_made(int fd, int kind)
{
    if (fd < 0)
        return;
    kinds[fd % DESCRIPTORS].fd = fd;
    kinds[fd % DESCRIPTORS].kind = kind;
    if (fd < DESCRIPTORS)
        __verify_lib_closed[fd] = 2;
    forget_what_was(fd);
}

/* A stream has it from here on, which reads it, and closes it without a word. */
void __verify_lib_given_away(int fd)
{
    if (fd < 0)
        return;
    if (kinds[fd % DESCRIPTORS].fd == fd)
        kinds[fd % DESCRIPTORS].kind = 0;
    forget_what_was(fd);
}

int __verify_lib_kind(int fd)
{
    if (fd < 0 || (fd < DESCRIPTORS ? __verify_lib_closed[fd] == 1 : __verify_lib_high_closed))
        return 0;
    const struct kind *k = &kinds[fd % DESCRIPTORS];
    return k->fd == fd ? k->kind : 0;
}

/* Something is to be remembered of an open descriptor until it is closed; 0: that would not be noticed. */
int __verify_lib_watch(int fd)
{
    if (fd < 0 || fd >= DESCRIPTORS)
        return 0;
    if (__verify_lib_closed[fd] == 1)
        __verify_lib_made(fd, 0);
    return 1;
}

/* read(2) of what is no file: the number of an eventfd or a timerfd is not 0, and comes in one piece. */
static long special_read(int fd, void *p, size_t n)
{
    static vm_reasons why = {EAGAIN, EINTR, EAGAIN, EINTR, EAGAIN, EINTR, EAGAIN, ECANCELED};
    int kind = __verify_lib_kind(fd);
    if (kind == VM_SIGNALS || kind == VM_NOTES) {
        __verify_sys_read(fd, p, n);
        __verify_unmodelled("read of a signalfd or of inotify");
    }
    if (kind != VM_EVENTS && kind != VM_TIMER)
        return VM_NOT_SPECIAL;
    if (n < sizeof(uint64_t))
        return -EINVAL;
    if (__verify_choose_failure("read")) {
        int e = why[__verify_nondet_u64("read") & 7];
        return kind == VM_EVENTS && e == ECANCELED ? -EINTR : -e;
    }
    uint64_t count = __verify_nondet_u64("read");
    if (count == 0)
        count = 1;
    __builtin_memcpy(p, &count, sizeof count);
    return sizeof count;
}

/* write(2) of an eventfd, in the same way. Newer systems want 8 bytes exactly. */
long __verify_lib_special_write(int fd, const void *p, size_t n)
{
    if (__verify_lib_kind(fd) != VM_EVENTS)
        return VM_NOT_SPECIAL;
    uint64_t count = UINT64_MAX;
    if (n >= sizeof count)
        __builtin_memcpy(&count, p, sizeof count);
    if (count == UINT64_MAX || (n > sizeof count && __verify_nondet_u64("write") & 1))
        return -EINVAL;
    if (__verify_choose_failure("write"))
        return __verify_nondet_u64("write") & 1 ? -EAGAIN : -EINTR;
    return sizeof count;
}

void __verify_lib_received(int fd, void *p, long r); /* socket.c */

long __verify_lib_read(int fd, void *p, size_t n)
{
    long r = special_read(fd, p, n);
    if (r != VM_NOT_SPECIAL)
        return r;
    r = __verify_sys_read(fd, p, n);
    __verify_lib_received(fd, p, r);
    return r;
}

/* ---- Events. What epoll_wait reports are descriptors that were registered, with the data that was registered. One that
 * is closed, or in a set that is, is no longer registered. */

enum { REGISTERED = 64 };
static struct registered {
    int set, fd, used;
    struct epoll_event event;
} registered[REGISTERED];

static void forget_closed(void)
{
    for (int i = 0; i < REGISTERED; i++) {
        struct registered *r = &registered[i];
        if (r->used && (__verify_lib_closed[r->fd] || __verify_lib_closed[r->set]))
            r->used = 0;
    }
}

/* All at once: what those were that stay open is not known any more either. */
static void close_those(unsigned first, unsigned last)
{
    __builtin_memset(kinds, 0, sizeof kinds);
    __verify_lib_status_of = __verify_lib_cloexec_of = __verify_lib_peeked_of = -1;
    for (int i = 0; i < REGISTERED; i++) {
        struct registered *r = &registered[i];
        unsigned fd = (unsigned)r->fd, set = (unsigned)r->set;
        if ((fd >= first && fd <= last) || (set >= first && set <= last))
            r->used = 0;
    }
}

/* Flags of close_range: with a table of its own, and only when a program is run in this one's place. */
enum { UNSHARED = 2, ON_EXEC = 4 };

int close_range(unsigned first, unsigned last, int flags)
{
    __verify_analysis_only("close_range");
    static vm_reasons why = {EMFILE, ENOMEM, ENOSYS, EMFILE, ENOMEM, ENOSYS, EMFILE, ENOMEM};
    VM_DEFINED(first, "close_range");
    VM_DEFINED(last, "close_range");
    if (first > last || flags & ~(UNSHARED | ON_EXEC)) {
        errno = EINVAL;
        return -1;
    }
    if (vm_fails("close_range", why))
        return -1;
    if (flags & ON_EXEC)
        __verify_lib_cloexec_of = -1;
    else
        close_those(first, last);
    return 0;
}

void closefrom(int first)
{
    __verify_analysis_only("closefrom");
    VM_DEFINED(first, "closefrom");
    close_those(first < 0 ? 0 : (unsigned)first, UINT_MAX);
}

static vm_reasons no_set = {EMFILE, ENFILE, ENOMEM, EINVAL, EMFILE, ENFILE, EMFILE, ENFILE};

static int new_set(const char *what, int kind)
{
    __verify_analysis_only(what);
    int fd = vm_descriptor(what, no_set);
    __verify_lib_made(fd, kind);
    return fd;
}
int epoll_create(int size)
{
    if (size <= 0) {
        errno = EINVAL;
        return -1;
    }
    return new_set("epoll_create", VM_EPOLL);
}
int epoll_create1(int flags) { return new_set("epoll_create1", VM_EPOLL); }
int eventfd(unsigned count, int flags) { return new_set("eventfd", VM_EVENTS); }
int timerfd_create(clockid_t clock, int flags) { return new_set("timerfd_create", VM_TIMER); }

/* An exclusive registration takes some events only, and no change. */
static int exclusive(uint32_t events)
{
    static vm_reasons why = {EINVAL, EINVAL, EINVAL, EINVAL, EINVAL, EINVAL, EINVAL, EINVAL};
    return events & EPOLLEXCLUSIVE && vm_fails("epoll_ctl", why);
}

/* Where the set and the descriptor are known to be open, only a lack of room makes it fail, or sets in a circle. */
int epoll_ctl(int set, int what, int fd, struct epoll_event *event)
{
    __verify_analysis_only("epoll_ctl");
    static vm_reasons why = {EBADF, EINVAL, ENOMEM, ENOSPC, EPERM, ELOOP, EBADF, EBADF};
    static vm_reasons no_room = {ENOMEM, ENOSPC, ENOMEM, ENOSPC, ENOMEM, ENOSPC, ENOMEM, ENOSPC};
    static vm_reasons no_nest = {ENOMEM, ENOSPC, ELOOP, EINVAL, ELOOP, ELOOP, ELOOP, ELOOP};
    static vm_reasons no_set = {EINVAL, EINVAL, EBADF, EPERM, EINVAL, EINVAL, EBADF, EPERM};
    if (vm_no_descriptor(set) || vm_no_descriptor(fd))
        return -1;
    int of = __verify_lib_kind(set), kind = __verify_lib_kind(fd);
    if ((of != 0 && of != VM_FILE && of != VM_EPOLL) || (of == VM_EPOLL && set == fd)) {
        errno = kind != 0 && kind != VM_FILE ? EINVAL : no_set[__verify_nondet_u64("epoll_ctl") & 7];
        return -1;
    }
    if (set >= DESCRIPTORS || fd >= DESCRIPTORS)
        __verify_unmodelled("epoll of a descriptor above 1023");
    forget_closed();
    struct registered *found = NULL, *empty = NULL;
    for (int i = 0; i < REGISTERED; i++) {
        struct registered *r = &registered[i];
        if (r->used && r->set == set && r->fd == fd)
            found = r;
        else if (!r->used && empty == NULL)
            empty = r;
    }
    int sure = found != NULL || (of == VM_EPOLL && kind != 0 && kind != VM_FILE);
    if (!sure && vm_fails("epoll_ctl", why))
        return -1;
    switch (what) {
    case EPOLL_CTL_ADD:
        VM_DEFINED(event->events, "epoll_ctl");
        if (exclusive(event->events))
            return -1;
        if (found != NULL) {
            errno = EEXIST;
            return -1;
        }
        if (sure && vm_fails("epoll_ctl", kind == VM_EPOLL ? no_nest : no_room))
            return -1;
        if (empty == NULL)
            __verify_unmodelled("more than 64 descriptors registered with epoll");
        __verify_lib_watch(set);
        __verify_lib_watch(fd);
        __verify_lib_closed[set] = 0;
        __verify_lib_closed[fd] = 0;
        empty->used = 1;
        empty->set = set;
        empty->fd = fd;
        empty->event = *event;
        return 0;
    case EPOLL_CTL_MOD:
    case EPOLL_CTL_DEL:
        if (found == NULL) {
            errno = ENOENT;
            return -1;
        }
        if (what == EPOLL_CTL_DEL) {
            found->used = 0;
        } else {
            VM_DEFINED(event->events, "epoll_ctl");
            if (exclusive(event->events | found->event.events))
                return -1;
            found->event = *event;
        }
        return 0;
    default:
        errno = EINVAL;
        return -1;
    }
}

void __verify_lib_slept(long long seconds, long nanoseconds); /* time.c */

/* A set that is known to be one is waited for until something interrupts that. */
static int wait_for(int set, struct epoll_event *out, int most, int timeout)
{
    __verify_analysis_only("epoll_wait");
    static vm_reasons why = {EINTR, EBADF, EINVAL, EINTR, EINTR, EINTR, EINTR, EINTR};
    int of = __verify_lib_kind(set);
    if (vm_no_descriptor(set))
        return -1;
    if (most <= 0 || most > INT_MAX / (int)sizeof *out || (of != 0 && of != VM_FILE && of != VM_EPOLL)) {
        errno = EINVAL;
        return -1;
    }
    if (vm_fails("epoll_wait", why)) {
        if (of == VM_EPOLL)
            errno = EINTR;
        return -1;
    }
    forget_closed();
    int n = 0;
    for (int i = 0; i < REGISTERED && n < most; i++) {
        struct registered *r = &registered[i];
        if (!r->used || r->set != set)
            continue;
        if (r->event.events == EPOLLONESHOT)
            continue;
        uint32_t now = (uint32_t)__verify_nondet_u64("epoll_wait") & (r->event.events | EPOLLERR | EPOLLHUP);
        now &= ~(uint32_t)(EPOLLET | EPOLLONESHOT | EPOLLWAKEUP | EPOLLEXCLUSIVE);
        if (now == 0)
            continue;
        if (r->event.events & EPOLLONESHOT)
            r->event.events &= EPOLLONESHOT; /* until it is changed, nothing is reported */
        out[n].events = now;
        out[n++].data = r->event.data;
    }
    if (timeout < 0)
        __verify_assume(n > 0);
    if (timeout > 0 && n == 0)
        __verify_lib_slept(timeout / 1000, timeout % 1000 * 1000000L);
    return n;
}
int epoll_wait(int set, struct epoll_event *out, int most, int timeout) { return wait_for(set, out, most, timeout); }
int epoll_pwait(int set, struct epoll_event *out, int most, int timeout, const sigset_t *mask)
{
    return wait_for(set, out, most, timeout);
}

/* What is left is counted in nanoseconds, in a signed number of 64 bits. */
static void some_time(struct timespec *out, const char *what)
{
    uint64_t seconds = __verify_nondet_u64(what) & 0x3ffffffff;
    long parts = (long)(__verify_nondet_u64(what) & 0x3fffffff);
    out->tv_sec = (time_t)(seconds > INT64_MAX / 1000000000 ? 0 : seconds & LONG_MAX);
    out->tv_nsec = parts > 999999999 ? 0 : parts;
}

static int set_timer(int fd, struct itimerspec *before, const struct itimerspec *to, const char *what)
{
    __verify_analysis_only(what);
    static vm_reasons why = {EBADF, EINVAL, EBADF, EINVAL, EBADF, EINVAL, EBADF, EINVAL};
    static vm_reasons not_set = {EINVAL, ECANCELED, EPERM, EINVAL, EINVAL, EINVAL, EINVAL, EINVAL};
    int sure = __verify_lib_kind(fd) == VM_TIMER;
    if (to != NULL)
        __verify_check_defined(to, sizeof *to, what);
    if (vm_no_descriptor(fd) || ((!sure || to != NULL) && vm_fails(what, sure ? not_set : why)))
        return -1;
    if (before != NULL) {
        some_time(&before->it_interval, what);
        some_time(&before->it_value, what);
    }
    return 0;
}
int timerfd_settime(int fd, int flags, const struct itimerspec *to, struct itimerspec *before)
{
    return set_timer(fd, before, to, "timerfd_settime");
}
int timerfd_gettime(int fd, struct itimerspec *now) { return set_timer(fd, now, NULL, "timerfd_gettime"); }

void __vsyslog_chk(int priority, int flag, const char *format, va_list ap)
{
    log_message(priority, format, ap);
}
void __syslog_chk(int priority, int flag, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    log_message(priority, format, ap);
    va_end(ap);
}

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

/* ---- Events. What epoll_wait reports are descriptors that were registered, with the data that was registered. One that
 * is closed is no longer registered; that of a stream is closed by fclose and stays known here. */

extern unsigned char __verify_lib_closed[1024]; /* unistd.c */

enum { REGISTERED = 64 };
static struct registered {
    int set, fd, used;
    struct epoll_event event;
} registered[REGISTERED];

static void forget_closed(void)
{
    for (int i = 0; i < REGISTERED; i++) {
        if (registered[i].used && __verify_lib_closed[registered[i].fd])
            registered[i].used = 0;
    }
}

static vm_reasons no_set = {EMFILE, ENFILE, ENOMEM, EINVAL, EMFILE, ENFILE, EMFILE, ENFILE};

static int new_set(const char *what)
{
    __verify_analysis_only(what);
    return vm_descriptor(what, no_set);
}
int epoll_create(int size) { return new_set("epoll_create"); }
int epoll_create1(int flags) { return new_set("epoll_create1"); }
int eventfd(unsigned count, int flags) { return new_set("eventfd"); }
int timerfd_create(clockid_t clock, int flags) { return new_set("timerfd_create"); }

int epoll_ctl(int set, int what, int fd, struct epoll_event *event)
{
    __verify_analysis_only("epoll_ctl");
    static vm_reasons why = {EBADF, EINVAL, ENOMEM, ENOSPC, EPERM, EBADF, EBADF, EBADF};
    if (vm_no_descriptor(set) || vm_no_descriptor(fd) || vm_fails("epoll_ctl", why))
        return -1;
    if (fd < 0 || fd >= (int)sizeof __verify_lib_closed)
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
    switch (what) {
    case EPOLL_CTL_ADD:
        if (found != NULL) {
            errno = EEXIST;
            return -1;
        }
        if (empty == NULL)
            __verify_unmodelled("more than 64 descriptors registered with epoll");
        VM_DEFINED(event->events, "epoll_ctl");
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
            found->event = *event;
        }
        return 0;
    default:
        errno = EINVAL;
        return -1;
    }
}

static int wait_for(int set, struct epoll_event *out, int most, int timeout)
{
    __verify_analysis_only("epoll_wait");
    static vm_reasons why = {EINTR, EBADF, EINVAL, EINTR, EINTR, EINTR, EINTR, EINTR};
    if (vm_no_descriptor(set))
        return -1;
    if (most <= 0) {
        errno = EINVAL;
        return -1;
    }
    if (vm_fails("epoll_wait", why))
        return -1;
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
    return n;
}
int epoll_wait(int set, struct epoll_event *out, int most, int timeout) { return wait_for(set, out, most, timeout); }
int epoll_pwait(int set, struct epoll_event *out, int most, int timeout, const sigset_t *mask)
{
    return wait_for(set, out, most, timeout);
}

static int set_timer(int fd, struct itimerspec *before, const struct itimerspec *to, const char *what)
{
    __verify_analysis_only(what);
    static vm_reasons why = {EBADF, EINVAL, EBADF, EINVAL, EBADF, EINVAL, EBADF, EINVAL};
    if (to != NULL)
        __verify_check_defined(to, sizeof *to, what);
    if (vm_no_descriptor(fd) || vm_fails(what, why))
        return -1;
    if (before != NULL)
        __verify_nondet_bytes(before, sizeof *before, what);
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

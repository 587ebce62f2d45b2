/* Signals that the program sends itself. None is blocked when it begins, some may be ignored. None arrives from outside or asynchronously: a handler runs only inside raise,
 * kill of the own process, abort, pause and sigsuspend, or when a blocked pending signal is unblocked. */
#include "internal.h"
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#define SIGNALS 65

long __verify_lib_getpid(void);

static struct sigaction actions[SIGNALS];
static unsigned char blocked[SIGNALS], pending[SIGNALS];

/* The stack for handlers with SA_ONSTACK, of no bytes: none; and whether one ran there. */
static stack_t other_stack;
static int other_stack_used;

static int valid(int number)
{
    if (number >= 1 && number < SIGNALS)
        return 1;
    errno = EINVAL;
    return 0;
}

/* What the program began with: the default, or that it is ignored, as under nohup. No signal is blocked then. */
static void know(int number)
{
    static unsigned char known[SIGNALS];
    if (!known[number]) {
        known[number] = 1;
        if (number != SIGKILL && number != SIGSTOP && __verify_nondet_u64("signal") & 1)
            actions[number].sa_handler = SIG_IGN;
    }
}

/* As far as the program has said so. Children that end vanish then, and nobody waits for them. */
int __verify_lib_ignores(int number)
{
    return actions[number].sa_handler == SIG_IGN || (number == SIGCHLD && actions[number].sa_flags & SA_NOCLDWAIT);
}

static int is_member(const sigset_t *set, int number)
{
    unsigned bits = 8 * sizeof set->__val[0], n = (unsigned)number - 1;
    return set->__val[n / bits] >> (n % bits) & 1;
}

static void set_member(sigset_t *set, int number, int on)
{
    unsigned bits = 8 * sizeof set->__val[0], n = (unsigned)number - 1;
    unsigned long bit = 1ul << (n % bits);
    if (on)
        set->__val[n / bits] |= bit;
    else
        set->__val[n / bits] &= ~bit;
}

/* How a signal came about: `si_code`, where that is known; it came from outside otherwise. */
enum { OUTSIDE = 1 };
static int origin[SIGNALS];

static void describe(siginfo_t *info, int number)
{
    if (origin[number] == OUTSIDE) {
        __verify_nondet_bytes(info, sizeof *info, "siginfo");
    } else {
        __builtin_memset(info, 0, sizeof *info);
        info->si_code = origin[number];
        info->si_pid = (pid_t)__verify_lib_getpid();
        info->si_uid = getuid();
    }
    info->si_signo = number;
}

#if defined __x86_64__ || defined __i386__
#define REGISTERS uc_mcontext.gregs
#else
#define REGISTERS uc_mcontext
#endif

/* Where the process was: registers that may hold anything, and the signals that are blocked there. */
static void describe_context(ucontext_t *context, const unsigned char *mask)
{
    __verify_nondet_bytes(context, sizeof *context, "ucontext");
    context->uc_link = NULL;
#if defined __x86_64__ || defined __i386__
    context->uc_mcontext.fpregs = &context->__fpregs_mem;
#endif
    for (int i = 1; i < SIGNALS; i++)
        set_member(&context->uc_sigmask, i, mask[i]);
}

static void deliver(int number);

/* The default action: some signals are ignored, some stop the process until it is continued, the others end it; its status is then what a shell shows. */
static void default_action(int number)
{
    switch (number) {
    case SIGCHLD: case SIGURG: case SIGWINCH: case SIGCONT:
        return;
    /* Nothing happens until somebody continues the process; one of no shell is not stopped in the first place. */
    case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU:
        __verify_analysis_only("a process that stops itself");
        origin[SIGCONT] = OUTSIDE;
        if (__verify_nondet_u64("signal") & 1)
            deliver(SIGCONT);
        return;
    case SIGABRT:
        __verify_abort();
    default:
        __verify_exit(128 + number);
    }
}

static void deliver_pending(void);

static void deliver(int number)
{
    if (blocked[number]) {
        pending[number] = 1;
        return;
    }
    know(number);
    struct sigaction a = actions[number];
    if (a.sa_handler == SIG_DFL) {
        default_action(number);
        return;
    }
    if (a.sa_handler == SIG_IGN)
        return;
    if (a.sa_flags & SA_ONSTACK && other_stack.ss_size != 0)
        other_stack_used = 1;
    if (a.sa_flags & SA_RESETHAND)
        actions[number].sa_handler = SIG_DFL;
    /* While the handler runs, its mask is blocked too. */
    unsigned char before[SIGNALS];
    __builtin_memcpy(before, blocked, sizeof before);
    for (int i = 1; i < SIGNALS; i++) {
        if (is_member(&a.sa_mask, i) && i != SIGKILL && i != SIGSTOP)
            blocked[i] = 1;
    }
    if (!(a.sa_flags & SA_NODEFER))
        blocked[number] = 1;
    if (a.sa_flags & SA_SIGINFO) {
        siginfo_t info;
        ucontext_t context, same;
        describe(&info, number);
        describe_context(&context, before);
        __builtin_memcpy(&same, &context, sizeof same);
        a.sa_sigaction(number, &info, &context);
        /* The process goes on where the handler says. */
        if (__builtin_memcmp(&same.REGISTERS, &context.REGISTERS, sizeof same.REGISTERS) != 0)
            __verify_unmodelled("a context that a signal handler changed");
        for (int i = 1; i < SIGNALS; i++)
            before[i] = (unsigned char)is_member(&context.uc_sigmask, i);
    } else {
        a.sa_handler(number);
    }
    __builtin_memcpy(blocked, before, sizeof before);
    deliver_pending();
}

/* What waited until it is no longer blocked. */
static void deliver_pending(void)
{
    for (int i = 1; i < SIGNALS; i++) {
        if (pending[i] && !blocked[i]) {
            pending[i] = 0;
            deliver(i);
        }
    }
}

/* One that the program handles arrives; that none does is not followed. */
static int wait_for_any(const char *what)
{
    for (int i = 1; i < SIGNALS; i++) {
        if (pending[i] && !blocked[i]) {
            deliver_pending();
            errno = EINTR;
            return -1;
        }
    }
    __verify_analysis_only(what);
    int number = 1 + (int)(__verify_nondet_u64(what) % (SIGNALS - 1));
    know(number);
    sighandler_t handler = actions[number].sa_handler;
    if (blocked[number] || handler == SIG_DFL || handler == SIG_IGN)
        __verify_unmodelled("a signal that is waited for");
    origin[number] = OUTSIDE;
    deliver(number);
    errno = EINTR;
    return -1;
}

int pause(void) { return wait_for_any("pause"); }

int sigsuspend(const sigset_t *set)
{
    unsigned char before[SIGNALS];
    __builtin_memcpy(before, blocked, sizeof before);
    for (int i = 1; i < SIGNALS; i++)
        blocked[i] = (unsigned char)is_member(set, i);
    int r = wait_for_any("sigsuspend");
    __builtin_memcpy(blocked, before, sizeof before);
    deliver_pending();
    return r;
}

/* The process sends itself a signal; `code` says by which call, as `si_code` does. */
int __verify_lib_send(int number, int code)
{
    if (!valid(number))
        return -1;
    if (!pending[number])
        origin[number] = code;
    deliver(number);
    return 0;
}

int raise(int number) { return __verify_lib_send(number, SI_TKILL); }

void __verify_lib_raise_abort(void)
{
    blocked[SIGABRT] = 0;
    origin[SIGABRT] = SI_TKILL;
    if (actions[SIGABRT].sa_handler != SIG_DFL && actions[SIGABRT].sa_handler != SIG_IGN)
        deliver(SIGABRT);
}

static sighandler_t install(int number, sighandler_t handler, int flags)
{
    if (!valid(number) || number == SIGKILL || number == SIGSTOP) {
        errno = EINVAL;
        return SIG_ERR;
    }
    know(number);
    sighandler_t old = actions[number].sa_handler;
    __builtin_memset(&actions[number], 0, sizeof actions[number]);
    actions[number].sa_handler = handler;
    actions[number].sa_flags = flags;
    return old;
}

sighandler_t signal(int number, sighandler_t handler) { return install(number, handler, SA_RESTART); }
sighandler_t bsd_signal(int number, sighandler_t handler) { return install(number, handler, SA_RESTART); }
sighandler_t ssignal(int number, sighandler_t handler) { return install(number, handler, SA_RESTART); }
sighandler_t sysv_signal(int number, sighandler_t handler)
{
    return install(number, handler, SA_RESETHAND | SA_NODEFER);
}
sighandler_t __sysv_signal(int number, sighandler_t handler)
{
    return install(number, handler, SA_RESETHAND | SA_NODEFER);
}

int sigaction(int number, const struct sigaction *new_action, struct sigaction *old)
{
    if (!valid(number) || (new_action != NULL && (number == SIGKILL || number == SIGSTOP))) {
        errno = EINVAL;
        return -1;
    }
    know(number);
    struct sigaction before = actions[number];
    if (new_action != NULL) {
        VM_DEFINED(new_action->sa_flags, "sigaction");
        if (new_action->sa_handler != SIG_DFL && new_action->sa_handler != SIG_IGN)
            __verify_check_defined(&new_action->sa_mask, SIGNALS / 8, "sigaction");
        actions[number] = *new_action;
    }
    if (old != NULL)
        *old = before;
    return 0;
}

int siginterrupt(int number, int flag)
{
    return valid(number) ? 0 : -1;
}

static int change_mask(int how, const sigset_t *set, sigset_t *old)
{
    if (set != NULL && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    sigset_t before;
    __builtin_memset(&before, 0, sizeof before);
    for (int i = 1; i < SIGNALS; i++)
        set_member(&before, i, blocked[i]);
    if (set != NULL) {
        for (int i = 1; i < SIGNALS; i++) {
            int in = is_member(set, i);
            int now = how == SIG_BLOCK ? blocked[i] || in : how == SIG_UNBLOCK ? blocked[i] && !in : in;
            blocked[i] = (unsigned char)(now && i != SIGKILL && i != SIGSTOP);
        }
    }
    if (old != NULL)
        *old = before;
    deliver_pending();
    return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    int e = change_mask(how, set, old);
    if (e != 0) {
        errno = e;
        return -1;
    }
    return 0;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    return change_mask(how, set, old);
}

int sigpending(sigset_t *set)
{
    __builtin_memset(set, 0, sizeof *set);
    for (int i = 1; i < SIGNALS; i++)
        set_member(set, i, pending[i]);
    return 0;
}

int sigemptyset(sigset_t *set)
{
    __builtin_memset(set, 0, sizeof *set);
    return 0;
}

/* All but the two signals that the C library keeps for itself. */
int sigfillset(sigset_t *set)
{
    __builtin_memset(set, 0xff, sizeof *set);
    set_member(set, 32, 0);
    set_member(set, 33, 0);
    return 0;
}

int sigaddset(sigset_t *set, int number)
{
    if (!valid(number))
        return -1;
    set_member(set, number, 1);
    return 0;
}

int sigdelset(sigset_t *set, int number)
{
    if (!valid(number))
        return -1;
    set_member(set, number, 0);
    return 0;
}

int sigismember(const sigset_t *set, int number)
{
    if (!valid(number))
        return -1;
    return is_member(set, number);
}

/* What SIGRTMIN and SIGRTMAX are: the library keeps two for itself. */
int __libc_current_sigrtmin(void) { return 34; }
int __libc_current_sigrtmax(void) { return 64; }

/* Whether this is a handler that runs there is open once one did: it may have been left by longjmp. A small stack may be too
 * small for the machine's registers. */
int sigaltstack(const stack_t *new_stack, stack_t *old)
{
    stack_t before = other_stack;
    int there = other_stack_used && __verify_nondet_u64("sigaltstack") & 1;
    before.ss_flags = before.ss_size == 0 ? SS_DISABLE : there ? SS_ONSTACK : 0;
    if (new_stack != NULL) {
        stack_t now = *new_stack;
        int failure = 0;
        if (now.ss_flags < 0)
            __verify_unmodelled("sigaltstack with SS_AUTODISARM");
        if (there)
            failure = EPERM;
        else if (now.ss_flags != 0 && now.ss_flags != SS_ONSTACK && now.ss_flags != SS_DISABLE)
            failure = EINVAL;
        else if (now.ss_flags == SS_DISABLE)
            __builtin_memset(&now, 0, sizeof now);
        else if (now.ss_size < 2048 || (now.ss_size < 65536 && __verify_choose_failure("sigaltstack")))
            failure = ENOMEM;
        if (failure != 0) {
            errno = failure;
            return -1;
        }
        other_stack = now;
    }
    if (old != NULL)
        *old = before;
    return 0;
}

int sigisemptyset(const sigset_t *set)
{
    for (int i = 1; i < SIGNALS; i++) {
        if (is_member(set, i))
            return 0;
    }
    return 1;
}

/* One of the set that waits to be delivered; else nobody here sends one. */
static int taken(const sigset_t *set)
{
    for (int i = 1; i < SIGNALS; i++) {
        if (pending[i] && is_member(set, i)) {
            pending[i] = 0;
            return i;
        }
    }
    return 0;
}

static int taken_with(const sigset_t *set, siginfo_t *info)
{
    int number = taken(set);
    if (number != 0 && info != NULL)
        describe(info, number);
    return number;
}

int sigwait(const sigset_t *set, int *number)
{
    int n = taken(set);
    if (n == 0)
        __verify_unmodelled("a signal that is waited for");
    *number = n;
    return 0;
}

int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
    int n = taken_with(set, info);
    if (n == 0)
        __verify_unmodelled("a signal that is waited for");
    return n;
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
    if (timeout->tv_nsec < 0 || timeout->tv_nsec > 999999999) {
        errno = EINVAL;
        return -1;
    }
    int n = taken_with(set, info);
    if (n == 0)
        errno = EAGAIN;
    return n == 0 ? -1 : n;
}

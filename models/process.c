/* <unistd.h>, <sys/wait.h>, <sys/resource.h>: processes. A child is a process like this one, in which fork returned 0: both
 * are looked at, each as if alone, with its own memory. What another process does is anything, but that it gives this one
 * another group. A successful exec ends this program as _exit does. A signal that a process sends to itself or its group reaches it at once. */
#include "internal.h"
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

extern int __verify_lib_process, __verify_lib_limits; /* unistd.c */
long __verify_lib_getpid(void);
void __verify_lib_is_child(long group, long session);
void __verify_lib_is_closed(int fd);
int __verify_lib_send(int number, int code); /* signal.c */
int __verify_lib_ignores(int number);
void __verify_lib_used(struct rusage *out); /* time.c */

enum { MOST_PROCESSES = 0x3fffff };

/* The children that were made last; `told`: this process has been told that it ended. */
enum { CHILDREN = 8 };
static struct child {
    pid_t number;
    int told;
} children[CHILDREN];
static unsigned newest;

static struct child *child_of(pid_t number)
{
    for (int i = 0; i < CHILDREN; i++) {
        if (number > 0 && children[i].number == number)
            return &children[i];
    }
    return NULL;
}

/* The group and the session of this process; 0: not known yet. */
static long own_group, own_session;

/* A process is born into the group and the session of another one. */
static long kin(const char *what, long *number)
{
    __verify_lib_outside_numbers = 1;
    if (*number == 0) {
        *number = (long)(__verify_nondet_u64(what) & MOST_PROCESSES);
        if (*number == 0 || (__verify_lib_process > 1 && *number == __verify_lib_getpid()))
            *number = 1;
    }
    return *number;
}

/* It leads a session of its own, and a group. */
void __verify_lib_leads(void)
{
    own_group = own_session = __verify_lib_getpid();
}

static void becomes_child(void)
{
    __verify_lib_is_child(own_group, own_session);
    __builtin_memset(children, 0, sizeof children);
    vm_copied(-1, -1);
}

/* A child that this process has from here on. Its number is that of no process which is there, nor of one that ended and was
 * not waited for, unless those vanish. */
static pid_t made(long number)
{
    static long most;
    long self = __verify_lib_getpid();
    struct child *same = child_of((pid_t)number);
    if (number < 2 || number == self || number == own_group || number == own_session ||
        (same != NULL && !same->told && !__verify_lib_ignores(SIGCHLD))) {
        long next = most > self ? most : self;
        next = next > own_group ? next : own_group;
        number = 1 + (next > own_session ? next : own_session);
        __verify_assume(number <= MOST_PROCESSES);
        same = NULL;
    }
    if (most < number)
        most = number;
    if (same != NULL)
        same->number = 0;
    newest = (newest + 1) % CHILDREN;
    children[newest].number = (pid_t)number;
    children[newest].told = 0;
    vm_copied(-1, -1);
    return (pid_t)number;
}

/* The number of one that does something else than this program. */
pid_t __verify_lib_new_child(const char *what)
{
    return made((long)(__verify_nondet_u64(what) & MOST_PROCESSES));
}

pid_t __verify_lib_fork(const char *what)
{
    __verify_analysis_only(what);
    static vm_reasons why = {EAGAIN, ENOMEM, EAGAIN, ENOMEM, EAGAIN, ENOMEM, EAGAIN, ENOMEM};
    if (vm_fails(what, why))
        return -1;
    pid_t child = (pid_t)(__verify_nondet_u64(what) & MOST_PROCESSES);
    if (child != 0)
        return made(child);
    becomes_child();
    return 0;
}

pid_t fork(void) { return __verify_lib_fork("fork"); }
pid_t vfork(void) { return __verify_lib_fork("vfork"); }

/* A signal that ends a process: some do not. */
static int deadly(int sig)
{
    return (sig >= SIGCHLD && sig <= SIGURG) || sig == SIGWINCH ? SIGKILL : sig;
}

/* How a process ended, or was stopped or continued where that is asked for. */
static int end_of_child(int options)
{
    unsigned long v = __verify_nondet_u64("wait");
    int number = (int)(v >> 8 & 0xff), sig = 1 + (number & 63);
    switch (v & 3) {
    case 0: return deadly(sig) | (v & 4 ? 0x80 : 0);
    case 1: if (options & WUNTRACED) return sig << 8 | 0x7f; break;
    case 2: if (options & WCONTINUED) return 0xffff; break;
    }
    return number << 8;
}

/* Not a child any more, or never one. */
static int is_none(pid_t number)
{
    const struct child *c = child_of(number);
    return (c != NULL && c->told) || (number > 0 && number == __verify_lib_getpid());
}

/* The child that was waited for: of several any one, also one that this program did not make. One that ended is told of
 * once. */
static pid_t found(pid_t number, int ended)
{
    if (number <= 0) {
        number = (pid_t)(__verify_nondet_u64("wait") & MOST_PROCESSES);
        for (int i = 0; i < CHILDREN && (number < 2 || is_none(number)); i++)
            number = children[i].told ? 0 : children[i].number;
        if (number < 2)
            number = __verify_lib_getpid() == 2 ? 3 : 2;
        __verify_assume(!is_none(number));
    }
    struct child *c = child_of(number);
    if (c != NULL && ended)
        c->told = 1;
    return number;
}

static pid_t await(pid_t pid, int *status, int options, struct rusage *used)
{
    __verify_analysis_only("wait");
    static vm_reasons why = {ECHILD, EINTR, ECHILD, ECHILD, ECHILD, ECHILD, ECHILD, EINTR};
    VM_DEFINED(pid, "wait");
    if ((unsigned)options & ~(WNOHANG | WUNTRACED | WCONTINUED | __WNOTHREAD | __WALL | __WCLONE)) {
        errno = EINVAL;
        return -1;
    }
    if (is_none(pid)) {
        errno = ECHILD;
        return -1;
    }
    if (vm_fails("wait", why))
        return -1;
    if (options & WNOHANG && __verify_nondet_u64("wait") & 1)
        return 0;
    int end = end_of_child(options);
    if (status != NULL)
        *status = end;
    if (used != NULL)
        __verify_lib_used(used);
    return found(pid, WIFEXITED(end) || WIFSIGNALED(end));
}

pid_t wait(int *status) { return await(-1, status, 0, NULL); }
pid_t waitpid(pid_t pid, int *status, int options) { return await(pid, status, options, NULL); }
pid_t wait3(int *status, int options, struct rusage *used) { return await(-1, status, options, used); }
pid_t wait4(pid_t pid, int *status, int options, struct rusage *used) { return await(pid, status, options, used); }

int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    __verify_analysis_only("waitid");
    static vm_reasons why = {ECHILD, EINTR, ECHILD, ECHILD, ECHILD, ECHILD, ECHILD, EINTR};
    VM_DEFINED(type, "waitid");
    VM_DEFINED(id, "waitid");
    VM_DEFINED(options, "waitid");
    if (!(options & (WEXITED | WSTOPPED | WCONTINUED)) ||
        (unsigned)options & ~(WNOHANG | WNOWAIT | WEXITED | WSTOPPED | WCONTINUED | __WNOTHREAD | __WALL | __WCLONE)) {
        errno = EINVAL;
        return -1;
    }
    pid_t one = type == P_PID ? (pid_t)id : 0;
    if (is_none(one)) {
        errno = ECHILD;
        return -1;
    }
    if (vm_fails("waitid", why))
        return -1;
    siginfo_t own;
    if (info == NULL)
        info = &own;
    __builtin_memset(info, 0, sizeof *info);
    if (options & WNOHANG && __verify_nondet_u64("waitid") & 1)
        return 0;
    unsigned long v = __verify_nondet_u64("waitid");
    int sig = 1 + (int)(v >> 8 & 63);
    info->si_signo = SIGCHLD;
    info->si_uid = (uid_t)(v >> 40 & 0xffff);
    if (options & WCONTINUED && (v & 3) == 3) {
        info->si_code = CLD_CONTINUED;
        info->si_status = SIGCONT;
    } else if (options & WSTOPPED && (v & 3) == 2) {
        info->si_code = CLD_STOPPED;
        info->si_status = sig;
    } else if (!(options & WEXITED)) {
        info->si_code = options & WSTOPPED ? CLD_STOPPED : CLD_CONTINUED;
        info->si_status = options & WSTOPPED ? sig : SIGCONT;
    } else if (v & 1) {
        info->si_code = v & 4 ? CLD_DUMPED : CLD_KILLED;
        info->si_status = deadly(sig);
    } else {
        info->si_code = CLD_EXITED;
        info->si_status = (int)(v >> 8 & 0xff);
    }
    int ended = info->si_code != CLD_STOPPED && info->si_code != CLD_CONTINUED;
    info->si_pid = found(one, ended && !(options & WNOWAIT));
    return 0;
}

static void strings(char *const *list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        vm_path(list[i]);
}

static int replaced(const char *path, char *const *argv, char *const *env)
{
    __verify_analysis_only("exec");
    static vm_reasons why = {ENOENT, EACCES, ENOEXEC, E2BIG, ENOMEM, EINVAL, ETXTBSY, ENOTDIR};
    if (path != NULL)
        vm_path(path);
    strings(argv);
    strings(env);
    if (vm_fails("exec", why))
        return -1;
    __verify_exit(0);
}

int execv(const char *path, char *const argv[]) { return replaced(path, argv, NULL); }
int execvp(const char *path, char *const argv[]) { return replaced(path, argv, NULL); }
int execve(const char *path, char *const argv[], char *const env[]) { return replaced(path, argv, env); }
int execvpe(const char *path, char *const argv[], char *const env[]) { return replaced(path, argv, env); }
int fexecve(int fd, char *const argv[], char *const env[]) { return replaced(NULL, argv, env); }

/* The arguments are read up to the null pointer that ends them. */
#define EXECL(name, with_env)                                                                                         \
    int name(const char *path, const char *arg, ...)                                                                  \
    {                                                                                                                 \
        va_list ap;                                                                                                   \
        va_start(ap, arg);                                                                                            \
        for (const char *a = arg; a != NULL; a = va_arg(ap, const char *))                                            \
            vm_path(a);                                                                                               \
        char *const *env = with_env ? va_arg(ap, char *const *) : NULL;                                               \
        va_end(ap);                                                                                                   \
        return replaced(path, NULL, env);                                                                             \
    }
EXECL(execl, 0)
EXECL(execlp, 0)
EXECL(execle, 1)

/* A number that is no signal's is not looked at before the process is found. */
static int is_signal(int sig)
{
    if (sig >= 0 && sig < NSIG)
        return 1;
    errno = __verify_nondet_u64("kill") & 1 ? ESRCH : EINVAL;
    return 0;
}

/* This process is in the group. */
static int among(long group)
{
    return own_group != 0 ? group == own_group : (int)(__verify_nondet_u64("kill") & 1);
}

int kill(pid_t pid, int sig)
{
    __verify_analysis_only("kill");
    VM_DEFINED(pid, "kill");
    VM_DEFINED(sig, "kill");
    if (!is_signal(sig))
        return -1;
    /* A negative number is a group, which may be one's own; -1 is everybody else. */
    if (sig != 0 && (pid == 0 || pid == __verify_lib_getpid() || (pid < -1 && among(-(long)pid))))
        return __verify_lib_send(sig, SI_USER);
    VM_SUCCEED_OR("kill", ESRCH, EPERM, ESRCH, ESRCH, ESRCH, ESRCH, ESRCH, ESRCH);
}
int killpg(pid_t group, int sig)
{
    __verify_analysis_only("killpg");
    VM_DEFINED(group, "killpg");
    VM_DEFINED(sig, "killpg");
    if (!is_signal(sig))
        return -1;
    if (sig != 0 && (group == 0 || among(group)))
        return __verify_lib_send(sig, SI_USER);
    VM_SUCCEED_OR("killpg", ESRCH, EPERM, EINVAL, ESRCH, ESRCH, ESRCH, ESRCH, ESRCH);
}

/* ---- Pipes and copies of descriptors. */

static vm_reasons no_descriptor = {EMFILE, ENFILE, EBADF, EMFILE, ENFILE, EMFILE, ENFILE, EMFILE};

static int two(int pair[2])
{
    __verify_analysis_only("pipe");
    int a = vm_descriptor("pipe", no_descriptor);
    if (a < 0)
        return -1;
    int b = vm_descriptor("pipe", no_descriptor);
    if (b < 0) {
        __verify_sys_close(a);
        return -1;
    }
    pair[0] = a;
    pair[1] = b;
    return 0;
}
int pipe(int pair[2]) { return two(pair); }
int pipe2(int pair[2], int flags)
{
    /* The last one is O_NOTIFICATION_PIPE. */
    if (flags & ~(O_CLOEXEC | O_NONBLOCK | O_DIRECT | O_EXCL)) {
        errno = EINVAL;
        return -1;
    }
    return two(pair);
}

int dup(int fd)
{
    __verify_analysis_only("dup");
    if (vm_no_descriptor(fd))
        return -1;
    long to = vm_copied(fd, -1);
    if (to < 0) {
        errno = no_descriptor[__verify_nondet_u64("dup") & 7];
        return -1;
    }
    return (int)to;
}

/* Linux has no larger number of a descriptor. */
enum { LAST_DESCRIPTOR = 0x7fffffc0 - 1 };

static int copy(int fd, int to)
{
    __verify_analysis_only("dup2");
    static vm_reasons why = {EBADF, EBUSY, EINTR, EMFILE, EBADF, EBADF, EBADF, EBADF};
    VM_DEFINED(fd, "dup2");
    VM_DEFINED(to, "dup2");
    if (fd < 0 || to < 0 || to > LAST_DESCRIPTOR) {
        errno = EBADF;
        return -1;
    }
    if (vm_fails("dup2", why))
        return -1;
    if (fd != to) {
        __verify_lib_is_closed(to);
        vm_copied(fd, to);
    }
    return to;
}
int dup2(int fd, int to) { return copy(fd, to); }
int dup3(int fd, int to, int flags)
{
    if (fd == to || flags & ~O_CLOEXEC) {
        errno = EINVAL;
        return -1;
    }
    return copy(fd, to);
}

/* ---- Users: a change is seen in what getuid and the like say afterwards. Who may change what is open. */

long *__verify_lib_identity(int which); /* unistd.c: real, effective, saved, from 0 of the user, from 3 of the group */

enum { USER = 0, GROUP = 3 };
#define AS_IT_IS ((unsigned)-1)

static int may_not(const char *what)
{
    __verify_analysis_only(what);
    static vm_reasons why = {EPERM, EINVAL, EAGAIN, EPERM, EPERM, EPERM, EPERM, EPERM};
    return vm_fails(what, why);
}

/* With the right to it all three, else the effective number, which is one of the others then. */
static int become(const char *what, int first, unsigned number)
{
    if (number == AS_IT_IS) {
        errno = EINVAL;
        return -1;
    }
    if (may_not(what))
        return -1;
    long *real = __verify_lib_identity(first), *saved = __verify_lib_identity(first + 2);
    if ((number != *real && number != *saved) || __verify_nondet_u64(what) & 1)
        *real = *saved = number;
    *__verify_lib_identity(first + 1) = number;
    return 0;
}

static int change(const char *what, int first, unsigned real, unsigned effective, unsigned saved)
{
    if (may_not(what))
        return -1;
    if (real != AS_IT_IS)
        *__verify_lib_identity(first) = real;
    if (effective != AS_IT_IS)
        *__verify_lib_identity(first + 1) = effective;
    if (saved != AS_IT_IS)
        *__verify_lib_identity(first + 2) = saved;
    return 0;
}

static int change_one(const char *what, int first, unsigned effective)
{
    if (effective == AS_IT_IS) {
        errno = EINVAL;
        return -1;
    }
    return change(what, first, AS_IT_IS, effective, AS_IT_IS);
}

/* The saved number follows the effective one where that may have come from elsewhere. */
static int change_two(const char *what, int first, unsigned real, unsigned effective)
{
    long before = *__verify_lib_identity(first), now = *__verify_lib_identity(first + 1);
    unsigned saved = AS_IT_IS;
    if (real != AS_IT_IS || (effective != AS_IT_IS && effective != before))
        saved = effective != AS_IT_IS ? effective : (unsigned)now;
    return change(what, first, real, effective, saved);
}

int setuid(uid_t u) { return become("setuid", USER, u); }
int setgid(gid_t g) { return become("setgid", GROUP, g); }
int seteuid(uid_t u) { return change_one("seteuid", USER, u); }
int setegid(gid_t g) { return change_one("setegid", GROUP, g); }
int setreuid(uid_t r, uid_t e) { return change_two("setreuid", USER, r, e); }
int setregid(gid_t r, gid_t e) { return change_two("setregid", GROUP, r, e); }
int setresuid(uid_t r, uid_t e, uid_t s) { return change("setresuid", USER, r, e, s); }
int setresgid(gid_t r, gid_t e, gid_t s) { return change("setresgid", GROUP, r, e, s); }

/* ---- Sessions and groups of processes: nobody but the process itself changes its own. */

pid_t getpgrp(void) { return (pid_t)kin("getpgrp", &own_group); }

static pid_t kin_of(const char *what, pid_t pid, long *own)
{
    static vm_reasons why = {ESRCH, EPERM, ESRCH, EPERM, ESRCH, EPERM, ESRCH, EPERM};
    __verify_analysis_only(what);
    if (pid == 0 || pid == __verify_lib_getpid())
        return (pid_t)kin(what, own);
    return vm_fails(what, why) ? -1 : 1 + (pid_t)(__verify_nondet_u64(what) % MOST_PROCESSES);
}
pid_t getsid(pid_t pid) { return kin_of("getsid", pid, &own_session); }
pid_t getpgid(pid_t pid) { return kin_of("getpgid", pid, &own_group); }

/* Who leads a group does not start a session. */
pid_t setsid(void)
{
    static vm_reasons why = {EPERM, EPERM, EPERM, EPERM, EPERM, EPERM, EPERM, EPERM};
    __verify_analysis_only("setsid");
    if (kin("setsid", &own_group) == __verify_lib_getpid()) {
        errno = EPERM;
        return -1;
    }
    if (vm_fails("setsid", why))
        return -1;
    __verify_lib_leads();
    return (pid_t)__verify_lib_getpid();
}

static int enter(pid_t pid, pid_t group)
{
    __verify_analysis_only("setpgid");
    static vm_reasons why = {EPERM, EACCES, ESRCH, EPERM, EPERM, EPERM, EPERM, EPERM};
    long self = __verify_lib_getpid();
    int itself = pid == 0 || pid == self;
    if (pid < 0 || group < 0) {
        errno = EINVAL;
        return -1;
    }
    if (vm_fails("setpgid", why))
        return -1;
    if (itself)
        own_group = group != 0 ? group : self;
    return 0;
}
int setpgid(pid_t pid, pid_t group) { return enter(pid, group); }
int setpgrp(void) { return enter(0, 0); }

/* How many groups the process has, and one more; 0: not known yet. Nobody else changes that. */
unsigned __verify_lib_groups;

static int groups(int n, gid_t *list)
{
    __verify_analysis_only("getgroups");
    if (__verify_lib_groups == 0)
        __verify_lib_groups = 1 + (unsigned)(__verify_nondet_u64("getgroups") & 0xffff);
    int have = (int)((__verify_lib_groups - 1) & 0xffff);
    if (n == 0)
        return have;
    if (n < have) {
        errno = EINVAL;
        return -1;
    }
    __verify_nondet_bytes(list, (size_t)have * sizeof *list, "getgroups");
    return have;
}

int getgroups(int n, gid_t *list) { return groups(n, list); }

int setgroups(size_t n, const gid_t *list)
{
    __verify_analysis_only("setgroups");
    vm_touch(list, n * sizeof *list);
    static vm_reasons why = {EPERM, EINVAL, ENOMEM, EPERM, EPERM, EPERM, EPERM, EPERM};
    if (vm_fails("setgroups", why))
        return -1;
    __verify_lib_groups = n <= 0xffff ? 1 + (unsigned)n : 0;
    return 0;
}

int initgroups(const char *user, gid_t group)
{
    __verify_analysis_only("initgroups");
    vm_path(user);
    static vm_reasons why = {EPERM, ENOMEM, EPERM, ENOMEM, EPERM, ENOMEM, EPERM, ENOMEM};
    if (vm_fails("initgroups", why))
        return -1;
    __verify_lib_groups = 0;
    return 0;
}

/* It may fail when the process is the child already. */
int daemon(int keep_directory, int keep_streams)
{
    __verify_analysis_only("daemon");
    static vm_reasons why = {EAGAIN, ENOMEM, EPERM, EMFILE, ENODEV, EAGAIN, EAGAIN, EAGAIN};
    int failed = vm_fails("daemon", why);
    if (!failed || (!keep_streams && __verify_nondet_u64("daemon") & 1)) {
        becomes_child();
        __verify_lib_leads();
    }
    return failed ? -1 : 0;
}

/* ---- Limits and priorities. */

#define LIMITS(type, get, set, both)                                                                                  \
    static int limits_##type(unsigned what, struct type *out)                                                         \
    {                                                                                                                 \
        __verify_analysis_only("getrlimit");                                                                          \
        static vm_reasons why = {EINVAL, EINVAL, EINVAL, EINVAL, EINVAL, EINVAL, EINVAL, EINVAL};                     \
        VM_DEFINED(what, "getrlimit");                                                                                \
        if (vm_fails("getrlimit", why))                                                                               \
            return -1;                                                                                                \
        out->rlim_max = __verify_nondet_u64("getrlimit");                                                             \
        out->rlim_cur = __verify_nondet_u64("getrlimit");                                                             \
        if (out->rlim_cur > out->rlim_max)                                                                            \
            out->rlim_cur = out->rlim_max;                                                                            \
        return 0;                                                                                                     \
    }                                                                                                                 \
    static int limited_##type(const struct type *in)                                                                  \
    {                                                                                                                 \
        __verify_analysis_only("setrlimit");                                                                          \
        static vm_reasons why = {EPERM, EINVAL, EPERM, EINVAL, EPERM, EINVAL, EPERM, EINVAL};                         \
        __verify_check_defined(in, sizeof *in, "setrlimit");                                                          \
        if (vm_fails("setrlimit", why))                                                                               \
            return -1;                                                                                                \
        __verify_lib_limits++;                                                                                        \
        return 0;                                                                                                     \
    }                                                                                                                 \
    int get(__rlimit_resource_t what, struct type *out) { return limits_##type(what, out); }                          \
    int set(__rlimit_resource_t what, const struct type *in) { return limited_##type(in); }                           \
    int both(pid_t pid, enum __rlimit_resource what, const struct type *in, struct type *out)                         \
    {                                                                                                                 \
        static vm_reasons why = {ESRCH, EPERM, ESRCH, EPERM, ESRCH, EPERM, ESRCH, EPERM};                             \
        struct type before;                                                                                           \
        if (vm_fails("prlimit", why) || limits_##type(what, &before) < 0 || (in != NULL && limited_##type(in) < 0))   \
            return -1;                                                                                                \
        if (out != NULL)                                                                                              \
            *out = before;                                                                                            \
        return 0;                                                                                                     \
    }
LIMITS(rlimit, getrlimit, setrlimit, prlimit)
LIMITS(rlimit64, getrlimit64, setrlimit64, prlimit64)

static int niceness(const char *what)
{
    __verify_analysis_only(what);
    static vm_reasons why = {EPERM, EACCES, ESRCH, EINVAL, EPERM, EPERM, EPERM, EPERM};
    return vm_fails(what, why) ? -1 : (int)(__verify_nondet_u64(what) % 40) - 20;
}
int nice(int by) { return niceness("nice"); }
int getpriority(__priority_which_t which, id_t who) { return niceness("getpriority"); }
int setpriority(__priority_which_t which, id_t who, int to)
{
    __verify_analysis_only("setpriority");
    VM_SUCCEED_OR("setpriority", EPERM, EACCES, ESRCH, EINVAL, EPERM, EPERM, EPERM, EPERM);
}

int __getgroups_chk(int n, gid_t *list, size_t have)
{
    if (n > 0)
        vm_chk((size_t)n * sizeof *list, have, "getgroups is given a size past the end of the array");
    return groups(n, list);
}

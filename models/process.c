/* <unistd.h>, <sys/wait.h>, <sys/resource.h>: processes. A child is a process like this one, in which fork returned 0: both
 * are looked at, each as if alone, with its own memory. What another process does is anything. A successful exec ends
 * this program as _exit does. A signal that a process sends to itself or its group reaches it at once. */
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

extern int __verify_lib_process; /* unistd.c */
long __verify_lib_getpid(void);
int __verify_lib_send(int number, int code); /* signal.c */

pid_t __verify_lib_fork(const char *what)
{
    __verify_analysis_only(what);
    static vm_reasons why = {EAGAIN, ENOMEM, EAGAIN, ENOMEM, EAGAIN, ENOMEM, EAGAIN, ENOMEM};
    if (vm_fails(what, why))
        return -1;
    pid_t child = (pid_t)(__verify_nondet_u64(what) & 0x3fffff);
    if (child == 0)
        __verify_lib_process++;
    return child;
}

pid_t fork(void) { return __verify_lib_fork("fork"); }
pid_t vfork(void) { return __verify_lib_fork("vfork"); }

/* How a process ended, or was stopped or continued where that is asked for. */
static int end_of_child(int options)
{
    unsigned long v = __verify_nondet_u64("wait");
    int number = (int)(v >> 8 & 0xff), sig = 1 + (number & 63);
    switch (v & 3) {
    case 0: return sig | (v & 4 ? 0x80 : 0);
    case 1: if (options & WUNTRACED) return sig << 8 | 0x7f; break;
    case 2: if (options & WCONTINUED) return 0xffff; break;
    }
    return number << 8;
}

static pid_t await(pid_t pid, int *status, int options, struct rusage *used)
{
    __verify_analysis_only("wait");
    static vm_reasons why = {ECHILD, EINTR, EINVAL, ECHILD, ECHILD, ECHILD, ECHILD, EINTR};
    VM_DEFINED(pid, "wait");
    if (vm_fails("wait", why))
        return -1;
    if (options & WNOHANG && __verify_nondet_u64("wait") & 1)
        return 0;
    if (status != NULL)
        *status = end_of_child(options);
    if (used != NULL)
        __verify_nondet_bytes(used, sizeof *used, "wait");
    return pid > 0 ? pid : 1 + (pid_t)(__verify_nondet_u64("wait") & 0x3fffff);
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
    if (!(options & (WEXITED | WSTOPPED | WCONTINUED))) {
        errno = EINVAL;
        return -1;
    }
    if (vm_fails("waitid", why))
        return -1;
    if (info == NULL)
        return 0;
    __builtin_memset(info, 0, sizeof *info);
    if (options & WNOHANG && __verify_nondet_u64("waitid") & 1)
        return 0;
    unsigned long v = __verify_nondet_u64("waitid");
    int sig = 1 + (int)(v >> 8 & 63);
    info->si_signo = SIGCHLD;
    info->si_pid = type == P_PID ? (pid_t)id : 1 + (pid_t)(v >> 16 & 0x3fffff);
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
        info->si_status = sig;
    } else {
        info->si_code = CLD_EXITED;
        info->si_status = (int)(v >> 8 & 0xff);
    }
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

int kill(pid_t pid, int sig)
{
    __verify_analysis_only("kill");
    VM_DEFINED(pid, "kill");
    VM_DEFINED(sig, "kill");
    /* A negative number is a group, which may be one's own; -1 is everybody else. */
    if (sig != 0 && (pid == 0 || pid == __verify_lib_getpid() || (pid < -1 && __verify_nondet_u64("kill") & 1)))
        return __verify_lib_send(sig, SI_USER);
    VM_SUCCEED_OR("kill", ESRCH, EPERM, EINVAL, ESRCH, ESRCH, ESRCH, ESRCH, ESRCH);
}
int killpg(pid_t group, int sig)
{
    __verify_analysis_only("killpg");
    VM_DEFINED(group, "killpg");
    VM_DEFINED(sig, "killpg");
    if (sig != 0 && (group == 0 || __verify_nondet_u64("killpg") & 1))
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
int pipe2(int pair[2], int flags) { return two(pair); }

int dup(int fd)
{
    __verify_analysis_only("dup");
    return vm_no_descriptor(fd) ? -1 : vm_descriptor("dup", no_descriptor);
}

static int copy(int fd, int to)
{
    __verify_analysis_only("dup2");
    static vm_reasons why = {EBADF, EBUSY, EINTR, EMFILE, EBADF, EBADF, EBADF, EBADF};
    VM_DEFINED(fd, "dup2");
    VM_DEFINED(to, "dup2");
    if (fd < 0 || to < 0) {
        errno = EBADF;
        return -1;
    }
    return vm_fails("dup2", why) ? -1 : to;
}
int dup2(int fd, int to) { return copy(fd, to); }
int dup3(int fd, int to, int flags) { return copy(fd, to); }

/* ---- Sessions, groups, users: a change has no effect on what getuid and the like say afterwards but by chance, so
 * after a successful one these are chosen anew. */

extern int __verify_lib_identity; /* unistd.c */

#define CHANGE(name, parameters)                                                                                      \
    int name parameters                                                                                               \
    {                                                                                                                 \
        __verify_analysis_only(#name);                                                                                \
        static vm_reasons why = {EPERM, EINVAL, EAGAIN, EPERM, EPERM, EPERM, EPERM, EPERM};                           \
        if (vm_fails(#name, why))                                                                                     \
            return -1;                                                                                                \
        __verify_lib_identity++;                                                                                      \
        return 0;                                                                                                     \
    }
CHANGE(setuid, (uid_t u))
CHANGE(seteuid, (uid_t u))
CHANGE(setgid, (gid_t g))
CHANGE(setegid, (gid_t g))
CHANGE(setreuid, (uid_t r, uid_t e))
CHANGE(setregid, (gid_t r, gid_t e))
CHANGE(setresuid, (uid_t r, uid_t e, uid_t s))
CHANGE(setresgid, (gid_t r, gid_t e, gid_t s))

static pid_t some_process(const char *what)
{
    static vm_reasons why = {ESRCH, EPERM, ESRCH, EPERM, ESRCH, EPERM, ESRCH, EPERM};
    __verify_analysis_only(what);
    return vm_fails(what, why) ? -1 : 1 + (pid_t)(__verify_nondet_u64(what) & 0x3fffff);
}
pid_t setsid(void)
{
    return some_process("setsid") > 0 ? (pid_t)__verify_lib_getpid() : -1;
}
pid_t getsid(pid_t pid) { return some_process("getsid"); }
pid_t getpgid(pid_t pid) { return some_process("getpgid"); }

int setpgid(pid_t pid, pid_t group)
{
    __verify_analysis_only("setpgid");
    VM_SUCCEED_OR("setpgid", EPERM, EACCES, ESRCH, EINVAL, EPERM, EPERM, EPERM, EPERM);
}

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

int daemon(int keep_directory, int keep_streams)
{
    __verify_analysis_only("daemon");
    static vm_reasons why = {EAGAIN, ENOMEM, EPERM, EMFILE, EAGAIN, EAGAIN, EAGAIN, EAGAIN};
    if (vm_fails("daemon", why))
        return -1;
    __verify_lib_process++;
    return 0;
}

/* ---- Limits and priorities. */

#define LIMITS(get, set, type)                                                                                        \
    int get(__rlimit_resource_t what, struct type *out)                                                               \
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
    int set(__rlimit_resource_t what, const struct type *in)                                                          \
    {                                                                                                                 \
        __verify_analysis_only("setrlimit");                                                                          \
        __verify_check_defined(in, sizeof *in, "setrlimit");                                                          \
        VM_SUCCEED_OR("setrlimit", EPERM, EINVAL, EPERM, EINVAL, EPERM, EINVAL, EPERM, EINVAL);                       \
    }
LIMITS(getrlimit, setrlimit, rlimit)
LIMITS(getrlimit64, setrlimit64, rlimit64)

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

/* <spawn.h>: a process that runs another program. What it does there, and whether the actions succeed before it, is seen
 * here in how it ends only. */
#include "internal.h"
#include <spawn.h>

pid_t __verify_lib_new_child(const char *what); /* process.c */

static vm_reasons no_process = {ENOENT, EACCES, EAGAIN, ENOMEM, ENOEXEC, E2BIG, EINVAL, EBADF};

static void strings(char *const *list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        vm_path(list[i]);
}

/* They return the reason and leave errno. */
static int fails(const char *what, vm_reasons why)
{
    return __verify_choose_failure(what) ? why[__verify_nondet_u64(what) & 7] : 0;
}

static int spawn(pid_t *pid, const char *path, char *const argv[], char *const env[])
{
    __verify_analysis_only("posix_spawn");
    vm_path(path);
    strings(argv);
    strings(env);
    int why = fails("posix_spawn", no_process);
    if (why == 0) {
        pid_t child = __verify_lib_new_child("posix_spawn");
        if (pid != NULL)
            *pid = child;
    }
    return why;
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
                char *const argv[], char *const env[])
{
    if (actions != NULL)
        VM_DEFINED(actions->__used, "posix_spawn");
    if (attr != NULL)
        VM_DEFINED(attr->__flags, "posix_spawn");
    return spawn(pid, path, argv, env);
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
                 char *const argv[], char *const env[])
{
    return posix_spawn(pid, file, actions, attr, argv, env);
}

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *a)
{
    __builtin_memset(a, 0, sizeof *a);
    return 0;
}

int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *a)
{
    VM_DEFINED(a->__used, "posix_spawn_file_actions_destroy");
    return 0;
}

static int action(posix_spawn_file_actions_t *a, int fd, const char *what)
{
    static vm_reasons why = {ENOMEM, ENOMEM, ENOMEM, ENOMEM, ENOMEM, ENOMEM, ENOMEM, ENOMEM};
    __verify_analysis_only(what);
    VM_DEFINED(fd, what);
    VM_DEFINED(a->__used, what);
    if (fd < 0)
        return EBADF;
    int failed = fails(what, why);
    if (failed == 0)
        a->__used++;
    return failed;
}

int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *a, int fd, const char *path, int flags, mode_t mode)
{
    vm_path(path);
    VM_DEFINED(flags, "posix_spawn_file_actions_addopen");
    VM_DEFINED(mode, "posix_spawn_file_actions_addopen");
    return action(a, fd, "posix_spawn_file_actions_addopen");
}

int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *a, int fd)
{
    return action(a, fd, "posix_spawn_file_actions_addclose");
}

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *a, int fd, int to)
{
    VM_DEFINED(to, "posix_spawn_file_actions_adddup2");
    return to < 0 ? EBADF : action(a, fd, "posix_spawn_file_actions_adddup2");
}

int posix_spawnattr_init(posix_spawnattr_t *a)
{
    __builtin_memset(a, 0, sizeof *a);
    return 0;
}

int posix_spawnattr_destroy(posix_spawnattr_t *a)
{
    VM_DEFINED(a->__flags, "posix_spawnattr_destroy");
    return 0;
}

int posix_spawnattr_setflags(posix_spawnattr_t *a, short flags)
{
    short known = POSIX_SPAWN_RESETIDS | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                  POSIX_SPAWN_SETSCHEDPARAM | POSIX_SPAWN_SETSCHEDULER | POSIX_SPAWN_USEVFORK | POSIX_SPAWN_SETSID;
    if (flags & ~known)
        return EINVAL;
    a->__flags = flags;
    return 0;
}

int posix_spawnattr_getflags(const posix_spawnattr_t *a, short *flags)
{
    *flags = a->__flags;
    return 0;
}

int posix_spawnattr_setpgroup(posix_spawnattr_t *a, pid_t group)
{
    a->__pgrp = group;
    return 0;
}

int posix_spawnattr_getpgroup(const posix_spawnattr_t *a, pid_t *group)
{
    *group = a->__pgrp;
    return 0;
}

int posix_spawnattr_setsigmask(posix_spawnattr_t *a, const sigset_t *set)
{
    a->__ss = *set;
    return 0;
}

int posix_spawnattr_setsigdefault(posix_spawnattr_t *a, const sigset_t *set)
{
    a->__sd = *set;
    return 0;
}

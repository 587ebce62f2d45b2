// Numbers of processes and users: two have not the same one, and what was set is so.
// run: no
#define _GNU_SOURCE
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

static void two_children(void)
{
    pid_t self = getpid(), first = fork();
    if (first == 0)
        _exit(getpid() == self);
    pid_t second = fork();
    if (second == 0)
        _exit(0);
    if (first > 0 && second > 0) {
        assert(first != second);
        assert(first != self && second != self);
    }
    if (first > 0 && waitpid(first, NULL, 0) == first)
        assert(waitpid(first, NULL, 0) < 0);
    if (second > 0)
        waitpid(second, NULL, 0);
}

static void own_session(void)
{
    if (setsid() > 0) {
        assert(getpgrp() == getpid());
        assert(getsid(0) == getpid());
    }
}

static void other_user(void)
{
    gid_t group = getgid();
    if (setuid(1000) == 0)
        assert(geteuid() == 1000);
    assert(getgid() == group);
}

int main(void)
{
    two_children();
    own_session();
    other_user();
    return 0;
}

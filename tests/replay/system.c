// What is asked of the system outside of files of `stdio.h` comes from the recording, too: links, folders, users, the terminal,
// signals and children. None of it is done: the real answers would be others.
// replay: system.c:29:15:div-by-zero
// replay: confirmed by execution: division by zero at system.c:29
#include <dirent.h>
#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char target[64];
    int status, d = argc > 5 ? 1 : 0;
    // Made and taken away twice: a real folder would be there, or not.
    if (mkdir("folder", 0700) != 0 || mkdir("folder", 0700) != 0 || rmdir("other") != 0)
        return 1;
    if (readlink("/no/such/link", target, sizeof target) <= 0 || chdir("/no/such/folder") != 0)
        return 1;
    DIR *all = opendir("/no/such/folder");
    if (all == NULL || getpwnam("nobody at all") == NULL)
        return 1;
    closedir(all);
    if (kill(0x3ffffff0, SIGTERM) != 0)
        return 1;
    if (fork() <= 0 || wait(&status) <= 0)
        return 1;
    return 10 / d;
}

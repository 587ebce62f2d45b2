// run: no
#include <spawn.h>
#include <sys/wait.h>

int main(void)
{
    pid_t child;
    char *argv[] = {"ls", 0};
    if (posix_spawn(&child, "/bin/ls", 0, 0, argv, argv) != 0)
        return 1;
    return waitpid(child, 0, 0) != -1; //~ proved[uninit-read]
}

// run: no
#include <spawn.h>
#include <sys/wait.h>

int main(void)
{
    pid_t child;
    char *argv[] = {"ls", 0};
    posix_spawn(&child, "/bin/ls", 0, 0, argv, argv);
    return waitpid(child, 0, 0) != -1; //~ violated[uninit-read]
}

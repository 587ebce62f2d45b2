// wait sets the status only where it succeeds.
// run: no
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    wait(&status);
    if (WIFEXITED(status)) //~ violated[uninit-read]
        return WEXITSTATUS(status);
    return 1;
}

// A process that kills itself does nothing afterwards.
// run: no
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int *stop(int number)
{
    signal(number, SIG_DFL);
    kill(getpid(), number);
    return NULL;
}

int main(int argc, char **argv)
{
    int one = 1;
    int *p = argc > 1 ? &one : stop(SIGTERM);
    return *p;
}

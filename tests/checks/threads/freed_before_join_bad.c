// scan: --assume-race-free
// run: no
// The thread may run when it is joined, and what it was given is gone by then.
#include <pthread.h>
#include <stdlib.h>
static void *work(void *p)
{
    *(int *)p = 1; //~ violated[use-after-free]
    return p;
}
int main(void)
{
    pthread_t t;
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 1;
    if (pthread_create(&t, NULL, work, p) != 0) {
        free(p);
        return 1;
    }
    free(p);
    pthread_join(t, NULL);
    return 0;
}

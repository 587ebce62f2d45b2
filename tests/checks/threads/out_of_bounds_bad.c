// scan: --assume-race-free
// run: no
// A thread that nobody waits for.
#include <pthread.h>
static int table[4];
static void *work(void *p)
{
    table[*(int *)p] = 1; //~ violated[array-index]
    return NULL;
}
int main(int argc, char **argv)
{
    static int at = 4;
    pthread_t t;
    if (pthread_create(&t, NULL, work, &at) == 0)
        pthread_detach(t);
    return 0;
}

// Without --assume-race-free nothing is said of a program that starts threads.
// run: no
#include <pthread.h>
static void *work(void *p)
{
    *(int *)p = 1; //~ unknown[null-deref]
    return p;
}
int main(void)
{
    pthread_t t;
    int n;
    if (pthread_create(&t, NULL, work, &n) != 0)
        return 1;
    pthread_join(t, NULL);
    return 0;
}

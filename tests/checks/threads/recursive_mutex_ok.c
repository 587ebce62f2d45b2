// scan: --assume-race-free
// run: no
// A recursive mutex that another thread holds is waited for.
#include <pthread.h>
static pthread_mutex_t m;
static int inside;
static void *work(void *p)
{
    pthread_mutex_lock(&m);
    int *q = inside ? 0 : &inside;
    *q = 0; //~ unknown[null-deref]
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t t; pthread_mutexattr_t a;
    pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &a);
    pthread_mutex_lock(&m); inside = 1;
    if (pthread_create(&t, 0, work, 0)) return 1;
    inside = 0; pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}

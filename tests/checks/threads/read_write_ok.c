// scan: --assume-race-free
// run: no
// So is a read-write lock; only the thread that holds it is told of a deadlock.
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int n;
static void *work(void *p)
{
    int *q = pthread_rwlock_rdlock(&l) ? 0 : &n;
    *q = 1; //~ unknown[null-deref]
    pthread_rwlock_unlock(&l);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_rwlock_wrlock(&l);
    if (pthread_create(&t, 0, work, 0)) return 1;
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    return 0;
}

// scan: --assume-race-free
// run: no
// Keys have no values in a new thread.
#include <pthread.h>
static pthread_key_t k;
static int n;
static void *work(void *p)
{
    int *q = pthread_getspecific(k) ? 0 : &n;
    *q = 1; //~ proved[null-deref]
    return 0;
}
int main(void)
{
    pthread_t t;
    if (pthread_key_create(&k, 0)) return 1;
    pthread_setspecific(k, &n);
    if (pthread_create(&t, 0, work, 0)) return 1;
    pthread_join(t, 0);
    return 0;
}

// scan: --assume-race-free
// run: no
// Another thread may hold the lock. FIXME: no execution here shows it.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *work(void *p) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return 0; }
int main(void)
{
    pthread_t t;
    int *q = 0;
    if (pthread_create(&t, 0, work, 0)) return 1;
    if (pthread_mutex_trylock(&m) != 0) { *q = 1; } //~ unknown[null-deref]
    else pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}

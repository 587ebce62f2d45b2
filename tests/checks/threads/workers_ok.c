// scan: --assume-race-free
// run: no
// Each of the threads has its own part, and a counter is under a lock. FIXME: what a thread returned is not told from what it
// has before it returns.
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int parts[2], done;
static void *work(void *p)
{
    int *part = p;
    *part = 1; //~ proved[null-deref]
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
    return part;
}
int main(void)
{
    pthread_t a, b;
    void *x;
    if (pthread_create(&a, NULL, work, &parts[0]) != 0)
        return 1;
    if (pthread_create(&b, NULL, work, &parts[1]) != 0) {
        pthread_join(a, NULL);
        return 1;
    }
    if (pthread_join(a, &x) == 0)
        *(int *)x = 2; //~ unknown[null-deref]
    pthread_join(b, NULL);
    return 0;
}

// scan: --assume-race-free
// run: no
// Each thread has a `depth` of its own: nothing is said.
#include <pthread.h>
static _Thread_local int depth;
static int n;
static void *work(void *p)
{
    int *q = depth ? 0 : &n;
    *q = 1; //~ unknown[null-deref]
    return 0;
}
int main(void)
{
    pthread_t t;
    depth++;
    if (pthread_create(&t, 0, work, 0)) return 1;
    pthread_join(t, 0);
    return 0;
}

// verdict: UNKNOWN(threads)
// check: --property unreach-call
#include <pthread.h>
extern void reach_error(void);
static int x;
static void *run(void *p) { x = 1; return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    if (x)
        reach_error();
    return 0;
}

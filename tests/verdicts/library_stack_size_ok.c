// check: --property unreach-call
// verdict: TRUE
// The size of a thread's stack is what was asked for, and else always the same.
#include <pthread.h>

extern void reach_error(void);

int main(void)
{
    pthread_attr_t a, b;
    size_t n = 0, m = 0;
    if (pthread_attr_init(&a) != 0 || pthread_attr_init(&b) != 0)
        return 1;
    pthread_attr_getstacksize(&a, &n);
    pthread_attr_getstacksize(&b, &m);
    if (n != m || n < 16384)
        reach_error();
    if (pthread_attr_setstacksize(&a, 1 << 20) == 0) {
        pthread_attr_getstacksize(&a, &n);
        if (n != 1 << 20)
            reach_error();
    }
    return 0;
}

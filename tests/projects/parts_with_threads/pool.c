#include <pthread.h>

extern int done;

static void *work(void *argument) {
    done = *(int *)argument; //~ unknown
    return 0;
}

int start(int *what) {
    pthread_t t;
    return pthread_create(&t, 0, work, what);
}

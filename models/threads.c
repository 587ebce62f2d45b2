/* Functions that start threads, of <pthread.h> and <threads.h>. Programs get these models with `--assume-race-free` only;
 * without it, a program that reaches one of them is not decided (`unknown: threads`). */
#include "threads_internal.h"

static struct vm_thread *made(void *(*start)(void *), thrd_start_t start_c11, void *arg)
{
    if (__verify_lib_threads_started == VM_MOST_THREADS)
        __verify_unmodelled("threads: more are started than are followed");
    struct vm_thread *t = __verify_alloc(sizeof *t, _Alignof(struct vm_thread), VERIFY_FAMILY_MALLOC);
    *t = (struct vm_thread){.start = start, .start_c11 = start_c11, .arg = arg, .state = THREAD_WAITS};
    __verify_lib_threads[__verify_lib_threads_started++] = t;
    t->number = (int)__verify_lib_threads_started + 1;
    return t;
}

static void begin(struct vm_thread *t)
{
    if (__verify_nondet_u64("a thread runs as soon as it is started") & 1)
        __verify_lib_run_thread(t);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *a, void *(*start)(void *), void *arg)
{
    if (__verify_choose_failure("pthread_create"))
        return EAGAIN;
    struct vm_thread *t = made(start, NULL, arg);
    *thread = (pthread_t)t;
    begin(t);
    return 0;
}

int thrd_create(thrd_t *thread, thrd_start_t start, void *arg)
{
    if (__verify_choose_failure("thrd_create"))
        return thrd_error;
    struct vm_thread *t = made(NULL, start, arg);
    *thread = (thrd_t)t;
    begin(t);
    return thrd_success;
}

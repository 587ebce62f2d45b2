/* Threads one after another. A thread that was started runs to its end at once or when it is joined, or never: each is
 * something that a real system may do. What other schedules do is not looked at. */
#ifndef VERIFY_MODELS_THREADS_INTERNAL_H
#define VERIFY_MODELS_THREADS_INTERNAL_H

#include "internal.h"
#include <pthread.h>
#include <threads.h>

enum { VM_MOST_THREADS = 64 };

enum vm_thread_state { THREAD_WAITS, THREAD_RUNS, THREAD_ENDED, THREAD_JOINED };

struct vm_thread {
    void *(*start)(void *); /* one of the two */
    thrd_start_t start_c11;
    void *arg;
    void *result;
    int result_c11;
    enum vm_thread_state state;
    int detached;
    int number; /* from 2; `main`'s is 1 */
};

/* All that were started, in order. */
extern struct vm_thread *__verify_lib_threads[VM_MOST_THREADS];
extern unsigned __verify_lib_threads_started;

/* The thread that runs; null: that of `main`. */
extern struct vm_thread *__verify_lib_this_thread;

/* Runs a thread that waits. */
void __verify_lib_run_thread(struct vm_thread *t);

#endif

/* <pthread.h>, and what <threads.h> has of threads, for executions in which one thread runs at a time (threads_internal.h).
 * The functions that start threads are in threads.c. Waiting for something that only another thread could do ends the
 * run as unknown. */
#include "threads_internal.h"
#include <semaphore.h>
#include <signal.h>

struct vm_thread *__verify_lib_threads[VM_MOST_THREADS];
unsigned __verify_lib_threads_started;
struct vm_thread *__verify_lib_this_thread;

int __verify_lib_send(int number, int code); /* signal.c */

static int me(void)
{
    return __verify_lib_this_thread != NULL ? __verify_lib_this_thread->number : 1;
}

/* Something that is free now may be held by a thread that was started, and no run here says by which. */
static void may_be_held(void)
{
    if (__verify_lib_threads_started != 0 && (__verify_nondet_u64("another thread holds the lock") & 1))
        __verify_unmodelled("threads: another one may hold the lock");
}

static void destroy_values(void);

void __verify_lib_run_thread(struct vm_thread *t)
{
    struct vm_thread *before = __verify_lib_this_thread;
    int error = errno;
    errno = 0;
    __verify_lib_this_thread = t;
    t->state = THREAD_RUNS;
    if (t->start != NULL)
        t->result = t->start(t->arg);
    else
        t->result_c11 = t->start_c11(t->arg);
    destroy_values();
    t->state = THREAD_ENDED;
    __verify_lib_this_thread = before;
    errno = error;
}

static struct vm_thread *find(pthread_t thread)
{
    for (unsigned i = 0; i < __verify_lib_threads_started; i++) {
        if (thread == (pthread_t)__verify_lib_threads[i])
            return __verify_lib_threads[i];
    }
    return NULL;
}

/* Waits for the end of a thread. */
static int join(struct vm_thread *t)
{
    if (t == NULL || t->state == THREAD_JOINED)
        return ESRCH;
    if (t->detached)
        return EINVAL;
    if (t->state == THREAD_RUNS)
        return EDEADLK;
    if (t->state == THREAD_WAITS)
        __verify_lib_run_thread(t);
    t->state = THREAD_JOINED;
    return 0;
}

int pthread_join(pthread_t thread, void **result)
{
    struct vm_thread *t = find(thread);
    int error = join(t);
    if (error == 0 && result != NULL)
        *result = t->result;
    return error;
}

int thrd_join(thrd_t thread, int *result)
{
    struct vm_thread *t = find((pthread_t)thread);
    if (join(t) != 0)
        return thrd_error;
    if (result != NULL)
        *result = t->result_c11;
    return thrd_success;
}

static int detach(struct vm_thread *t)
{
    if (t == NULL || t->state == THREAD_JOINED)
        return ESRCH;
    if (t->detached)
        return EINVAL;
    t->detached = 1;
    return 0;
}

int pthread_detach(pthread_t thread)
{
    return detach(find(thread));
}

int thrd_detach(thrd_t thread)
{
    return detach(find((pthread_t)thread)) == 0 ? thrd_success : thrd_error;
}

static pthread_t self(void)
{
    static char me;
    return __verify_lib_this_thread != NULL ? (pthread_t)__verify_lib_this_thread : (pthread_t)&me;
}

pthread_t pthread_self(void) { return self(); }
thrd_t thrd_current(void) { return (thrd_t)self(); }

int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

/* The last thread ends: so does the process. */
void pthread_exit(void *result)
{
    extern void exit(int);
    if (__verify_lib_this_thread != NULL)
        __verify_unmodelled("threads: a thread ends by pthread_exit");
    exit(0);
}

/* ---- Mutexes: __count is how often the thread __owner holds it. Unlocking what is not held is an error for any kind. */

int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a)
{
    __builtin_memset(m, 0, sizeof *m);
    if (a != NULL)
        m->__data.__kind = *(const int *)a;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *m)
{
    return m->__data.__count != 0 ? EBUSY : 0;
}

static int lock(pthread_mutex_t *m, int may_wait)
{
    int kind = m->__data.__kind & 3;
    if (m->__data.__count != 0 && (kind != PTHREAD_MUTEX_RECURSIVE || m->__data.__owner != me())) {
        if (!may_wait)
            return EBUSY;
        if (kind == PTHREAD_MUTEX_ERRORCHECK && m->__data.__owner == me())
            return EDEADLK;
        __verify_unmodelled("threads: a mutex is waited for");
    }
    if (!may_wait)
        may_be_held();
    m->__data.__count++;
    m->__data.__owner = me();
    return 0;
}

static int unlock(pthread_mutex_t *m)
{
    int kind = m->__data.__kind & 3;
    int asks = kind == PTHREAD_MUTEX_ERRORCHECK || kind == PTHREAD_MUTEX_RECURSIVE;
    if (m->__data.__count == 0) {
        if (asks)
            return EPERM;
        __verify_fail("invalid-argument", "a mutex is unlocked that is not locked");
    }
    if (asks && m->__data.__owner != me())
        return EPERM;
    m->__data.__count--;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *m) { return lock(m, 1); }
int pthread_mutex_trylock(pthread_mutex_t *m) { return lock(m, 0); }
int pthread_mutex_unlock(pthread_mutex_t *m) { return unlock(m); }

int pthread_mutexattr_init(pthread_mutexattr_t *a)
{
    __builtin_memset(a, 0, sizeof *a);
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *a)
{
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *a, int kind)
{
    if (kind < 0 || kind > 3)
        return EINVAL;
    *(int *)a = kind;
    return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *a, int *kind)
{
    *kind = *(const int *)a;
    return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *a, int shared)
{
    return 0;
}

/* ---- Read-write locks: __readers counts shares, __writers is 1 when the thread __cur_writer holds it for writing. */

int pthread_rwlockattr_init(pthread_rwlockattr_t *a)
{
    __builtin_memset(a, 0, sizeof *a);
    return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *a) { return 0; }

/* Who is let in first is not decided here: any order is one that there is. */
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *a, int kind)
{
    if (kind < 0 || kind > 2)
        return EINVAL;
    *(int *)a = kind;
    return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *a, int *kind)
{
    *kind = *(const int *)a;
    return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *a, int shared)
{
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
        return EINVAL;
    ((int *)a)[1] = shared;
    return 0;
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *a, int *shared)
{
    *shared = ((const int *)a)[1];
    return 0;
}

int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *a)
{
    __builtin_memset(l, 0, sizeof *l);
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
    return 0;
}

/* It is held for writing, and waited for. */
static int waits(pthread_rwlock_t *l)
{
    if (l->__data.__cur_writer != me())
        __verify_unmodelled("threads: a read-write lock is waited for");
    return EDEADLK;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    if (l->__data.__writers)
        return waits(l);
    l->__data.__readers++;
    return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
    if (l->__data.__writers)
        return EBUSY;
    may_be_held();
    l->__data.__readers++;
    return 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    if (l->__data.__writers)
        return waits(l);
    if (l->__data.__readers)
        __verify_unmodelled("threads: a read-write lock is waited for");
    l->__data.__writers = 1;
    l->__data.__cur_writer = me();
    return 0;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
    if (l->__data.__writers || l->__data.__readers)
        return EBUSY;
    may_be_held();
    l->__data.__writers = 1;
    l->__data.__cur_writer = me();
    return 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
    if (l->__data.__writers)
        l->__data.__writers = 0;
    else if (l->__data.__readers)
        l->__data.__readers--;
    else
        __verify_fail("invalid-argument", "a read-write lock is unlocked that is not locked");
    return 0;
}

/* ---- Spin locks */

int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
    *l = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *l)
{
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *l)
{
    if (*l)
        __verify_unmodelled("threads: a spin lock is waited for");
    *l = 1;
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *l)
{
    if (*l)
        return EBUSY;
    may_be_held();
    *l = 1;
    return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *l)
{
    *l = 0;
    return 0;
}

/* ---- Condition variables: nobody signals a waiting thread but another one. */

int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a)
{
    __builtin_memset(c, 0, sizeof *c);
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *c) { return 0; }
int pthread_cond_signal(pthread_cond_t *c) { return 0; }
int pthread_cond_broadcast(pthread_cond_t *c) { return 0; }

int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    __verify_unmodelled("threads: a condition variable is waited for");
}

int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
    /* It may also return for no reason. */
    return __verify_nondet_u64("pthread_cond_timedwait") & 1 ? ETIMEDOUT : 0;
}

int pthread_condattr_init(pthread_condattr_t *a)
{
    __builtin_memset(a, 0, sizeof *a);
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *a) { return 0; }
int pthread_condattr_setpshared(pthread_condattr_t *a, int shared)
{
    return shared == PTHREAD_PROCESS_PRIVATE || shared == PTHREAD_PROCESS_SHARED ? 0 : EINVAL;
}
int pthread_condattr_setclock(pthread_condattr_t *a, clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ? 0 : EINVAL;
}

/* ---- Attributes of threads that are never made. */

int pthread_attr_init(pthread_attr_t *a)
{
    __builtin_memset(a, 0, sizeof *a);
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *a) { return 0; }
int pthread_attr_setdetachstate(pthread_attr_t *a, int state)
{
    return state == PTHREAD_CREATE_JOINABLE || state == PTHREAD_CREATE_DETACHED ? 0 : EINVAL;
}
/* The size of the stack is kept in the first bytes; zero is what the system gives. The least size depends on how many
 * registers the processor has. */
int pthread_attr_setstacksize(pthread_attr_t *a, size_t size)
{
    if (size < 16384 || (size < 1 << 17 && __verify_nondet_u64("pthread_attr_setstacksize") & 1))
        return EINVAL;
    __builtin_memcpy(a, &size, sizeof size);
    return 0;
}
int pthread_attr_getstacksize(const pthread_attr_t *a, size_t *size)
{
    static size_t usual;
    __builtin_memcpy(size, a, sizeof *size);
    if (*size == 0) {
        if (usual < 16384)
            usual = __verify_nondet_u64("pthread_attr_getstacksize");
        __verify_assume(usual >= 16384);
        *size = usual;
    }
    return 0;
}
int pthread_attr_setscope(pthread_attr_t *a, int scope) { return scope == PTHREAD_SCOPE_SYSTEM ? 0 : ENOTSUP; }
int pthread_attr_setguardsize(pthread_attr_t *a, size_t size) { return 0; }

/* ---- Once, and thread-specific data */

static int do_once(int *once, void (*f)(void))
{
    if (*once == 1)
        __verify_unmodelled("threads: what is done once is waited for");
    if (*once == 0) {
        *once = 1;
        f();
        *once = 2;
    }
    return 0;
}

int pthread_once(pthread_once_t *once, void (*f)(void)) { return do_once(once, f); }
void call_once(once_flag *once, void (*f)(void)) { (void)do_once((int *)once, f); }

/* Values are those of `main`, and of one thread besides: `number`. */
#define KEYS 1024
static struct key {
    int used;
    const void *value;
    const void *other;
    int number;
    void (*destroy)(void *);
} keys[KEYS];
/* One more than the greatest that was ever used. */
static unsigned most_keys;

/* Where the value of this thread is. */
static const void **value_of(pthread_key_t key)
{
    struct key *k = &keys[key];
    if (me() == 1)
        return &k->value;
    if (k->number != me()) {
        if (k->number != 0 && __verify_lib_threads[k->number - 2]->state == THREAD_RUNS && k->other != NULL)
            __verify_unmodelled("threads: a key has values of more threads than are followed");
        k->number = me();
        k->other = NULL;
    }
    return &k->other;
}

/* The thread ends. */
static void destroy_values(void)
{
    for (unsigned i = 0; i < most_keys; i++) {
        const void **at = value_of(i);
        const void *value = *at;
        *at = NULL;
        if (value != NULL && keys[i].used && keys[i].destroy != NULL)
            keys[i].destroy((void *)value);
    }
}

static int make_key(unsigned *key, void (*destroy)(void *))
{
    for (unsigned i = 0; i < KEYS; i++) {
        if (!keys[i].used) {
            keys[i].used = 1;
            keys[i].value = NULL;
            keys[i].other = NULL;
            if (i >= most_keys)
                most_keys = i + 1;
            keys[i].destroy = destroy;
            *key = i;
            return 0;
        }
    }
    return EAGAIN;
}

static int delete_key(unsigned key)
{
    if (key >= KEYS || !keys[key].used)
        return EINVAL;
    keys[key].used = 0;
    return 0;
}

static void *value_at(unsigned key)
{
    return key < KEYS && keys[key].used ? (void *)*value_of(key) : NULL;
}

static int set_value(unsigned key, const void *value)
{
    if (key >= KEYS || !keys[key].used)
        return EINVAL;
    *value_of(key) = value;
    return 0;
}

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *)) { return make_key(key, destroy); }
int pthread_key_delete(pthread_key_t key) { return delete_key(key); }
void *pthread_getspecific(pthread_key_t key) { return value_at(key); }
int pthread_setspecific(pthread_key_t key, const void *value) { return set_value(key, value); }

static int c11(int error)
{
    return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

int tss_create(tss_t *key, tss_dtor_t destroy) { return c11(make_key(key, destroy)); }
void tss_delete(tss_t key) { (void)delete_key(key); }
void *tss_get(tss_t key) { return value_at(key); }
int tss_set(tss_t key, void *value) { return c11(set_value(key, value)); }

/* The types of <threads.h> are those of <pthread.h> under other names. */
int mtx_init(mtx_t *m, int type)
{
    __builtin_memset(m, 0, sizeof *m);
    ((pthread_mutex_t *)m)->__data.__kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
    return thrd_success;
}
void mtx_destroy(mtx_t *m) {}
int mtx_lock(mtx_t *m) { return c11(lock((pthread_mutex_t *)m, 1)); }
int mtx_trylock(mtx_t *m) { return c11(lock((pthread_mutex_t *)m, 0)); }
int mtx_unlock(mtx_t *m) { return c11(unlock((pthread_mutex_t *)m)); }

int cnd_init(cnd_t *c)
{
    __builtin_memset(c, 0, sizeof *c);
    return thrd_success;
}
void cnd_destroy(cnd_t *c) {}
int cnd_signal(cnd_t *c) { return thrd_success; }
int cnd_broadcast(cnd_t *c) { return thrd_success; }
int cnd_wait(cnd_t *c, mtx_t *m)
{
    __verify_unmodelled("threads: a condition variable is waited for");
}

int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
void thrd_yield(void) {}
int thrd_sleep(const struct timespec *time, struct timespec *rest)
{
    return time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec > 999999999 ? -2 : 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    return 0;
}

int pthread_setcancelstate(int state, int *old)
{
    if (old != NULL)
        *old = PTHREAD_CANCEL_ENABLE;
    return 0;
}

int pthread_setcanceltype(int type, int *old)
{
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    if (old != NULL)
        *old = PTHREAD_CANCEL_DEFERRED;
    return 0;
}

/* Nobody cancels a thread here. */
void pthread_testcancel(void)
{
}

/* A thread that has ended gets none; of the others one runs at a time, which is this one. */
int pthread_kill(pthread_t thread, int number)
{
    if (number < 0 || number > 64)
        return EINVAL;
    if (thread == self())
        return number == 0 || __verify_lib_send(number, SI_TKILL) == 0 ? 0 : EINVAL;
    if (number != 0)
        __verify_unmodelled("threads: a signal for another thread");
    return 0;
}

int pthread_getname_np(pthread_t thread, char *out, size_t n)
{
    if (n < 16)
        return ERANGE;
    vm_text(out, 15, "pthread_getname_np");
    return 0;
}

int pthread_setname_np(pthread_t thread, const char *name)
{
    return vm_strlen(name) < 16 ? 0 : ERANGE;
}

int sched_yield(void)
{
    return 0;
}

/* ---- Semaphores: the first word is the value. */

int sem_init(sem_t *s, int shared, unsigned value)
{
    if (value > SEM_VALUE_MAX) {
        errno = EINVAL;
        return -1;
    }
    __builtin_memset(s, 0, sizeof *s);
    *(unsigned *)s = value;
    return 0;
}

int sem_destroy(sem_t *s)
{
    return 0;
}

int sem_post(sem_t *s)
{
    *(unsigned *)s += 1;
    return 0;
}

int sem_wait(sem_t *s)
{
    if (*(unsigned *)s == 0)
        __verify_unmodelled("threads: a semaphore is waited for");
    *(unsigned *)s -= 1;
    return 0;
}

int sem_trywait(sem_t *s)
{
    if (*(unsigned *)s == 0) {
        errno = EAGAIN;
        return -1;
    }
    may_be_held();
    *(unsigned *)s -= 1;
    return 0;
}

int sem_timedwait(sem_t *s, const struct timespec *until)
{
    if (*(unsigned *)s == 0) {
        errno = until->tv_nsec < 0 || until->tv_nsec > 999999999 ? EINVAL : ETIMEDOUT;
        return -1;
    }
    *(unsigned *)s -= 1;
    return 0;
}

int sem_getvalue(sem_t *s, int *value)
{
    *value = (int)*(unsigned *)s;
    return 0;
}

// What attributes of read-write locks are set to, and which signals are free for programs.
// run: no
#include <assert.h>
#include <libintl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

int main(int argc, char **argv)
{
    pthread_rwlockattr_t a;
    pthread_rwlock_t lock;
    int kind, shared;
    if (pthread_rwlockattr_init(&a) != 0)
        return 1;
    pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlockattr_getkind_np(&a, &kind);
    pthread_rwlockattr_getpshared(&a, &shared);
    assert(kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP && shared == PTHREAD_PROCESS_PRIVATE); //~ proved[assertion]
    pthread_rwlock_init(&lock, &a);
    pthread_rwlockattr_destroy(&a);
    if (pthread_rwlock_rdlock(&lock) == 0)
        pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
    assert(SIGRTMIN > SIGSYS && SIGRTMAX - SIGRTMIN >= 8); //~ proved[assertion]
    return strcmp(dcngettext(NULL, "a line", "%d lines", argc, LC_MESSAGES), "") == 0;
}

#include <stdatomic.h>
static atomic_int count;
static int data;
static atomic_int ready;
int ticks(void) { return atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }
int caller(int x) { return ticks() * 2 + x; }
int same_pair(int e, int d) { atomic_compare_exchange_strong_explicit(&count, &e, d, memory_order_acq_rel, memory_order_acquire); return e; }
int other_rmw(void) { return atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }
int other_load(void) { return atomic_load_explicit(&count, memory_order_acquire); }
void other_store(int x) { atomic_store_explicit(&count, x, memory_order_release); }
int other_failure(int e, int d) { atomic_compare_exchange_strong_explicit(&count, &e, d, memory_order_acq_rel, memory_order_acquire); return e; }
void same_fence(int x) { data = x; atomic_thread_fence(memory_order_release); atomic_store_explicit(&ready, 1, memory_order_relaxed); }
void moved_fence(int x) { data = x; atomic_thread_fence(memory_order_release); ready = 1; }
void no_fence(int x) { data = x; atomic_thread_fence(memory_order_release); data = x + 1; }
void signal_fence(int x) { data = x; atomic_thread_fence(memory_order_seq_cst); data = x + 1; }
int calls_fence(int x) { no_fence(x); return x; }
int other_code(int x) { if (x > 3) return ticks(); return 0; }

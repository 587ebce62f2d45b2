// Atomic accesses and fences: the same code has them in the same places, with the same memory orders. What has not is not
// equal, nor is what calls it; proofs know nothing of them.
// diff: ticks equal by identity
// diff: caller equal
// diff: same_pair equal by identity
// diff: other_rmw unknown by atomic
// diff: other_load unknown by atomic
// diff: other_store unknown by atomic
// diff: other_failure unknown by atomic
// diff: same_fence equal by identity
// diff: moved_fence unknown
// diff: no_fence unknown by atomic
// diff: signal_fence unknown
// diff: calls_fence unknown by its code is the same, but it uses `no_fence`
// diff: other_code equal
#include <stdatomic.h>
static atomic_int count;
static int data;
static atomic_int ready;
int ticks(void) { return atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }
int caller(int x) { return x + 2 * ticks(); }
int same_pair(int e, int d) { atomic_compare_exchange_strong_explicit(&count, &e, d, memory_order_acq_rel, memory_order_acquire); return e; }
int other_rmw(void) { return atomic_fetch_add_explicit(&count, 1, memory_order_seq_cst); }
int other_load(void) { return atomic_load_explicit(&count, memory_order_relaxed); }
void other_store(int x) { atomic_store_explicit(&count, x, memory_order_relaxed); }
int other_failure(int e, int d) { atomic_compare_exchange_strong_explicit(&count, &e, d, memory_order_acq_rel, memory_order_relaxed); return e; }
void same_fence(int x) { data = x; atomic_thread_fence(memory_order_release); atomic_store_explicit(&ready, 1, memory_order_relaxed); }
void moved_fence(int x) { atomic_thread_fence(memory_order_release); data = x; ready = 1; }
void no_fence(int x) { data = x; data = x + 1; }
void signal_fence(int x) { data = x; atomic_signal_fence(memory_order_seq_cst); data = x + 1; }
int calls_fence(int x) { no_fence(x); return x; }
int other_code(int x) { int r = 0; if (x > 3) r = ticks(); return r; }

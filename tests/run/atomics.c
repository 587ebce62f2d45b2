// Atomics with their sequential meaning: C11, the __atomic and __sync builtins, flags, pointers, structs.
#include "check.h"
#include <stdatomic.h>
#include <stdbool.h>
struct small { int a, b; };
static atomic_int counter = 5;
static _Atomic struct small pair;
static atomic_flag flag = ATOMIC_FLAG_INIT;
int main(void) {
    CHECK(atomic_fetch_add(&counter, 3) == 5 && atomic_load(&counter) == 8);
    counter++;
    counter -= 2;
    CHECK(counter == 7);
    int expected = 1;
    CHECK(!atomic_compare_exchange_strong(&counter, &expected, 9) && expected == 7);
    CHECK(atomic_compare_exchange_strong(&counter, &expected, 9) && counter == 9);
    CHECK(atomic_exchange(&counter, 1) == 9);
    CHECK(atomic_fetch_or(&counter, 6) == 1 && atomic_fetch_and(&counter, 3) == 7 && atomic_fetch_xor(&counter, 1) == 3);
    CHECK(counter == 2);
    atomic_store_explicit(&counter, 4, memory_order_release);
    CHECK(atomic_load_explicit(&counter, memory_order_acquire) == 4);
    CHECK(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    pair = (struct small){1, 2};
    struct small p = pair;
    CHECK(p.a == 1 && p.b == 2);
    unsigned char byte = 250;
    CHECK(__atomic_add_fetch(&byte, 10, __ATOMIC_SEQ_CST) == 4);
    CHECK(__sync_fetch_and_sub(&byte, 1) == 4 && __sync_bool_compare_and_swap(&byte, 3, 8) && byte == 8);
    CHECK(__sync_val_compare_and_swap(&byte, 1, 2) == 8);
    long big = 1;
    CHECK(__atomic_fetch_nand(&big, 3, __ATOMIC_RELAXED) == 1 && big == ~1L);
    int array[3] = {1, 2, 3};
    int *_Atomic at = array;
    at++;
    CHECK(*at == 2 && at++ == array + 1 && *at == 3);
    atomic_bool b = false;
    b |= true;
    CHECK(b);
    atomic_thread_fence(memory_order_seq_cst);
    _Atomic double d = 1.5;
    d += 2;
    CHECK(d == 3.5);
    __sync_lock_release(&big);
    CHECK(big == 0);
    return DONE;
}

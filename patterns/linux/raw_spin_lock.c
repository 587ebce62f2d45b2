/* Locks become raw locks; by the renaming rules also unlock, lock_irq, and so on. Input: the lock. */
#include "verify-pattern.h"

void spin_lock(void *);
void raw_spin_lock(void *);

VERIFY_RENAME("spin_lock", "spin_*");
VERIFY_RENAME("raw_spin_lock", "raw_spin_*");

VERIFY_OLD(raw_spin_lock, void *lock) { spin_lock(lock); }

VERIFY_NEW(raw_spin_lock, void *lock) { raw_spin_lock(lock); }

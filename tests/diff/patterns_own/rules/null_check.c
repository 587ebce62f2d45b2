/* The check before a release goes away: release() looks itself. */
#include "verify-pattern.h"

void release(void *);

VERIFY_OLD(null_check, void *p) {
    if (p)
        release(p);
}

VERIFY_NEW(null_check, void *p) { release(p); }

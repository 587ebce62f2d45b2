/* A plain write becomes a WRITE_ONCE. Inputs: where, of what type, and what is written. */
#include "verify-pattern.h"

VERIFY_TYPE(T);

VERIFY_OLD(write_once, T *p) {
    T v = VERIFY_INPUT(T);
    *p = v;
}

VERIFY_NEW(write_once, T *p) {
    T v = VERIFY_INPUT(T);
    *(volatile T *)p = v;
}

/* A plain read becomes a READ_ONCE: the compiler may no longer merge or repeat it. Inputs: where, and of what type. */
#include "verify-pattern.h"

VERIFY_TYPE(T);

VERIFY_OLD(read_once, T *p) {
    T v = *p;
    VERIFY_OUTPUT(v);
}

VERIFY_NEW(read_once, T *p) {
    T v = *(const volatile T *)p;
    VERIFY_OUTPUT(v);
}

/* operator new and delete by their mangled names. A failing allocation would throw, which is not modelled: the throwing
 * forms never fail here; the nothrow forms may. */
#include "internal.h"

#define NEW_ALIGN (2 * sizeof(void *))

#define NEW(name, nothrow, family, what)                                                                              \
    void *name(size_t size) { return __verify_alloc(size, NEW_ALIGN, family); }                                       \
    void *nothrow(size_t size, const void *tag)                                                                       \
    {                                                                                                                 \
        return __verify_choose_failure(what) ? NULL : __verify_alloc(size, NEW_ALIGN, family);                        \
    }
#define DELETE(name, sized, nothrow, family)                                                                          \
    void name(void *p)                                                                                                \
    {                                                                                                                 \
        if (p != NULL)                                                                                                \
            __verify_free(p, family);                                                                                 \
    }                                                                                                                 \
    void sized(void *p, size_t size)                                                                                  \
    {                                                                                                                 \
        if (p != NULL)                                                                                                \
            __verify_free(p, family);                                                                                 \
    }                                                                                                                 \
    void nothrow(void *p, const void *tag)                                                                            \
    {                                                                                                                 \
        if (p != NULL)                                                                                                \
            __verify_free(p, family);                                                                                 \
    }

#if __SIZEOF_SIZE_T__ == 8
NEW(_Znwm, _ZnwmRKSt9nothrow_t, VERIFY_FAMILY_NEW, "operator new")
NEW(_Znam, _ZnamRKSt9nothrow_t, VERIFY_FAMILY_NEW_ARRAY, "operator new[]")
DELETE(_ZdlPv, _ZdlPvm, _ZdlPvRKSt9nothrow_t, VERIFY_FAMILY_NEW)
DELETE(_ZdaPv, _ZdaPvm, _ZdaPvRKSt9nothrow_t, VERIFY_FAMILY_NEW_ARRAY)
#else
NEW(_Znwj, _ZnwjRKSt9nothrow_t, VERIFY_FAMILY_NEW, "operator new")
NEW(_Znaj, _ZnajRKSt9nothrow_t, VERIFY_FAMILY_NEW_ARRAY, "operator new[]")
DELETE(_ZdlPv, _ZdlPvj, _ZdlPvRKSt9nothrow_t, VERIFY_FAMILY_NEW)
DELETE(_ZdaPv, _ZdaPvj, _ZdaPvRKSt9nothrow_t, VERIFY_FAMILY_NEW_ARRAY)
#endif

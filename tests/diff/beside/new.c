// What a built-in function is told beside its operands.
// diff: aligned equal
// diff: aligned_near not-equal
// diff: aligned_other not-equal
// diff: frame equal
// diff: frame_near not-equal
// diff: back equal
// diff: back_near not-equal
// diff: bytes equal
// diff: bytes_near not-equal
// diff: swap equal
// diff: swap_near not-equal
void note(void *);
void size(unsigned long);
int aligned(int *q) { return *(int *)__builtin_assume_aligned(q, 16); }
int aligned_near(int *p) { return *(int *)__builtin_assume_aligned(p, 32); }
int aligned_other(int *p, int *q) { __builtin_assume_aligned(q, 16); return *p + *q; }
void frame(void) { note(__builtin_frame_address(0)); }
void frame_near(void) { note(__builtin_frame_address(1)); }
void back(void) { note(__builtin_return_address(0)); }
void back_near(void) { note(__builtin_return_address(1)); }
void bytes(char *p) { size(__builtin_object_size(p, 0)); }
void bytes_near(char *p) { size(__builtin_dynamic_object_size(p, 0)); }
_Bool swap(_Atomic int *p) { int e = 0; return __c11_atomic_compare_exchange_weak(p, &e, 1, 5, 5); }
_Bool swap_near(_Atomic int *p) { int e = 0; return __c11_atomic_compare_exchange_weak(p, &e, 1, 5, 5); }

// The alignment of a variable shows in its address.
// diff: is_aligned not-equal
// diff: address not-equal
// diff: given not-equal
// diff: kept equal
// diff: shared differs
#include <stdint.h>
int shared = 1;
static char own[64] = {1};
void give(int *);
int is_aligned(void) { return ((uintptr_t)&shared & 63) == 0; }
char *address(void) { return own; }
int given(void) { int x = 0; give(&x); return ((uintptr_t)&x & 63) == 0; }
int kept(int n) { int x[4] = {1, 2, 3, n}; return x[0] + x[3]; }

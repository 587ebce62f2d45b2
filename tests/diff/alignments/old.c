#include <stdint.h>
_Alignas(64) int shared = 1;
_Alignas(64) static char own[64] = {1};
void give(int *);
int is_aligned(void) { return ((uintptr_t)&shared & 63) == 0; }
char *address(void) { return own; }
int given(void) { _Alignas(64) int x = 0; give(&x); return ((uintptr_t)&x & 63) == 0; }
int kept(int n) { _Alignas(64) int x[4] = {1, 2, 3, n}; return x[0] + x[3]; }

// The program's own status comes through; buffered output too.
// expect: exit 3
// expect-out: partial
#include <stdio.h>
int main(void) { printf("partial\n"); return 259; }

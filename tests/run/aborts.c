// abort is the program's own end: 128 + SIGABRT.
// expect: exit 134
#include <stdlib.h>
int main(void) { abort(); }

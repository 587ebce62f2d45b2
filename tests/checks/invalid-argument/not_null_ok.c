// A pointer that was compared with null is none where it is handed over, wherever it came from.
#include <stdio.h>
#include <string.h>
#include <stdint.h>
static uintptr_t number;
int main(int argc, char **argv) {
    (void)argv;
    number = (uintptr_t)&number + (unsigned)argc;
    char *p = (char *)(number & 0xff);
    char buffer[8];
    if (p) return p == NULL ? memcmp(p, buffer, 0) : 0; //~ proved[invalid-argument]
    return 0;
}

// The library fails within a call: the call is the place.
// replay: confirmed by execution: AddressSanitizer: stack-buffer-overflow at caller.c:6
#include <string.h>
int main(int argc, char **argv) {
    char b[4];
    strcpy(b, "too long");
    return b[argc & 1];
}

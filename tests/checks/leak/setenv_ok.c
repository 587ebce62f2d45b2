// The texts that setenv makes are the C library's.
// run: no
#include <stdlib.h>
int main(int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        if (setenv("LAST", argv[i], 1) != 0) return 1;
    return unsetenv("LAST") != 0 || setenv("LAST", "", 1) != 0;
}

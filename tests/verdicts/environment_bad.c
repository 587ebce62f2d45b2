// A variable may be missing.
// check: --property valid-memsafety
// verdict: FALSE(valid-deref)
#include <stdlib.h>
int main(void) {
    return getenv("HOME")[0];
}

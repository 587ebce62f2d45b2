// Two ways of accepting a finding in the source.
// run: no
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    p = NULL; // verify: ignore[leak] ended with the process
    // verify: ignore[null-deref] shown on purpose
    return *p;
}

// check: --property valid-memsafety --data-model LP64
// verdict: UNKNOWN(...)
// `(null)` is what printf makes of it; compilers call puts here, which ends the program.
#include <stdio.h>
int main(void)
{
    char *none = NULL;
    printf("%s\n", none);
    return 0;
}

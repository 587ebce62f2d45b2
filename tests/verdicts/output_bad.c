// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// Output of a string that is gone.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char *s = malloc(4);
    strcpy(s, "abc");
    printf("%d %s\n", 1, s);
    int gone = __VERIFIER_nondet_int();
    if (gone)
        free(s);
    fprintf(stderr, "%s\n", s);
    if (!gone)
        free(s);
    return 0;
}

// What the system says of variables and files is anything that it may say; what comes after is looked at.
// check: --property unreach-call
// verdict: TRUE
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    struct stat st;
    int n = __VERIFIER_nondet_int();
    const char *home = getenv("HOME");
    int absolute = home && home[0] == '/';
    if (absolute)
        n &= 7;
    if (stat("/etc/passwd", &st) == 0 && st.st_size == 5)
        n &= 3;
    if (remove("there") == 0)
        n &= 1;
    if (absolute && n > 7)
        reach_error();
    return 0;
}

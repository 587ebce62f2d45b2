// What a stream holds says whether something was printed, also to those who look into it themselves.
// check: --property unreach-call
// verdict: FALSE(unreach-call)
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    for (int i = 0; i < 300; i++) {
        printf("%d\n", i);
        fflush(stdout);
    }
    if (*(int *)stdout & 0x20)
        reach_error();
    return 0;
}

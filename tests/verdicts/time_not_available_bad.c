// verdict: FALSE(unreach-call)
// check: --property unreach-call --timeout 20
// `time` may fail (C11 7.27.2.4).
#include <assert.h>
#include <time.h>
int main(void)
{
    time_t t = time(NULL);
    assert(t >= 0);
    return 0;
}

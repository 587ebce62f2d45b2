// check: --property unreach-call --data-model LP64
// verdict: TRUE
#include <arpa/inet.h>
#include <string.h>
extern void reach_error(void);
int main(void)
{
    unsigned char bytes[16] = {9};
    if (inet_pton(AF_INET6, "1::x", bytes) != 0 || bytes[0] != 9)
        reach_error();
    if (inet_pton(AF_INET6, "::1", bytes) != 1 || bytes[0] != 0 || bytes[15] != 1)
        reach_error();
    return 0;
}

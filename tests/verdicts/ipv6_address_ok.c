// check: --property unreach-call --data-model LP64
// verdict: UNKNOWN(unmodelled: inet_pton of an IPv6 address at ipv6_address_unknown.c:9)
// The bytes are not followed; that they are written is known.
#include <arpa/inet.h>
extern void reach_error(void);
int main(void)
{
    unsigned char bytes[16] = {0};
    inet_pton(AF_INET6, "::1", bytes);
    if (bytes[15] != 0)
        reach_error();
    return 0;
}

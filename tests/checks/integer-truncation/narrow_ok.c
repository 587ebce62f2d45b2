// A cast says that bits may go; a test says that none do.
// scan: --check integer-truncation
#include <limits.h>
#include <unistd.h>
int main(void) {
    int n = 0;
    if (read(0, &n, sizeof n) != (ssize_t)sizeof n) return 0;
    unsigned char low = (unsigned char)n;
    if (n < 0 || n > SHRT_MAX) return low > 3;
    short s = n; //~ proved[integer-truncation]
    return s > 7;
}

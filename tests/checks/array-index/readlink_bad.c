// readlink may fill the whole buffer; the NUL goes behind it then.
// run: no
#include <unistd.h>

int main(void)
{
    char target[64];
    ssize_t n = readlink("/proc/self/exe", target, sizeof target);
    if (n < 0)
        return 1;
    target[n] = 0; //~ violated[array-index]
    return target[0];
}

// Some requests of ioctl answer a length where they succeed, and not 0.
// run: no
#include <linux/input.h>
#include <sys/ioctl.h>

int main(void)
{
    char name[16];
    int n = ioctl(0, EVIOCGNAME(sizeof name), name);
    if (n < 0)
        return 1;
    return 1000 / (n - 9); //~ violated[div-by-zero]
}

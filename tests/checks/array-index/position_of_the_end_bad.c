// How long a file is, nobody knows.
#include <fcntl.h>
#include <unistd.h>

static char table[8];

int main(void)
{
    int f = open("/etc/hosts", O_RDONLY);
    if (f < 0)
        return 0;
    off_t end = lseek(f, 0, SEEK_END);
    close(f);
    return end < 0 ? 0 : table[end]; //~ violated[array-index]
}

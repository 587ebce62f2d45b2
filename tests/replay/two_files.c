// Lines and bytes of two files.
// replay: confirmed by execution: index
#include <stdio.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
    char line[64];
    int t[4] = {0};
    FILE *f = fopen("data", "r");
    if (!f) return 1;
    if (!fgets(line, sizeof line, f)) return 2;
    fclose(f);
    int fd = open("other", O_RDONLY);
    if (fd < 0) return 3;
    unsigned char b[2];
    if (read(fd, b, 2) != 2) return 4;
    close(fd);
    return t[b[1]];
}

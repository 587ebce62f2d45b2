// Copies of a descriptor have one place in their file: what is read through one has moved the others.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    int fd = open(argv[1], O_RDONLY);
    if (fd < 0)
        return 1;
    int copy = dup(fd);
    if (copy < 0)
        return 1;
    char text[16];
    ssize_t n = read(copy, text, sizeof text);
    if (n < 0)
        return 1;
    off_t at = lseek(fd, 0, SEEK_CUR);
    if (at >= 0)
        assert(at == n); //~ unknown[assertion]
    if (dup2(fd, 40) != 40)
        return 1;
    if (lseek(40, 3, SEEK_SET) != 3)
        return 1;
    at = lseek(copy, 0, SEEK_CUR);
    if (at >= 0)
        assert(at == 3); //~ unknown[assertion]
    return 0;
}

// Requests of ioctl that take a number or nothing, and those that write less than their names say.
// run: no
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int leave_terminal(int fd) { return ioctl(fd, TIOCNOTTY); }

static int share(int from, int to) { return ioctl(to, FICLONE, from); }

static int attributes(int fd)
{
    int flags, size;
    if (ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0 || ioctl(fd, BLKBSZGET, &size) < 0)
        return -1;
    return (flags & FS_IMMUTABLE_FL) != 0 && size == 512;
}

int main(int argc, char **argv)
{
    int a = open("a", O_RDWR), b = open("b", O_RDONLY);
    if (a < 0 || b < 0)
        return 1;
    if (argc > 3)
        return leave_terminal(a);
    if (argc > 2)
        return attributes(a);
    return share(b, a) < 0;
}

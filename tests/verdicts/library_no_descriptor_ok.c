// check: --property unreach-call --data-model LP64
// verdict: TRUE
// No descriptor is negative: what is asked of one fails.
#include <errno.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
extern void reach_error(void);
int main(void)
{
    char c;
    struct stat s;
    if (read(-1, &c, 1) >= 0 || errno != EBADF)
        reach_error();
    if (write(-1, "a", 1) >= 0 || close(-1) == 0 || dup(-1) >= 0 || lseek(-1, 0, SEEK_SET) >= 0)
        reach_error();
    if (fstat(-1, &s) == 0 || listen(-1, 1) == 0 || fsync(-1) == 0 || isatty(-1))
        reach_error();
    return 0;
}

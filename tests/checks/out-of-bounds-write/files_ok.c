/* What is known of a stream and of a buffer settles what a call of the library can fail. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char buffer[16];
    struct stat st;
    (void)argv;
    FILE *f = fopen("no such file", argc > 1 ? "rb" : "r"); //~ unknown[null-deref]
    if (f == NULL)
        f = fopen("no such file either", "rb"); //~ proved[null-deref] proved[out-of-bounds-read] proved[uninit-read]
    if (f == NULL)
        return 0;
    size_t n = fread(buffer, 1, sizeof buffer, f); //~ proved[out-of-bounds-write] proved[null-deref] proved[use-after-scope]
    size_t m = fread(buffer, 2, sizeof buffer / 2, f); //~ proved[out-of-bounds-write]
    int bad = ferror(f); //~ proved
    long at = clock(); //~ proved
    time_t now = time(NULL); //~ proved
    if (stat("x", &st) == 0) //~ proved[null-deref] proved[out-of-bounds-write] proved[uninit-read]
        bad |= st.st_size != 0;
    int fd = open("x", O_RDONLY); //~ proved
    if (fd >= 0) {
        bad |= read(fd, buffer, 15 + (argc & 1)) > 0; //~ proved[out-of-bounds-write]
        close(fd); //~ proved[use-after-free] proved[out-of-bounds-write]
    }
    fclose(f); //~ proved[null-deref] proved[use-after-free] proved[read-only-write]
    return n + m + bad + at + now == 0;
}

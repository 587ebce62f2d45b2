// The bytes of a device are an off_t, and its blocks are not empty.
// run: no
#include <linux/fs.h>
#include <sys/ioctl.h>
int main(void) {
    unsigned long sectors;
    int block;
    if (ioctl(0, BLKGETSIZE, &sectors) != 0) return 1;
    long bytes = (long)sectors * 512;               //~ unknown[signed-overflow]
    if (ioctl(0, BLKSSZGET, &block) != 0) return 1;
    return bytes / block > 1;                       //~ unknown[div-by-zero]
}

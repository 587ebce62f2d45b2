// Which pages are in memory is written for each of them; a pattern is one with a star, a question mark or two brackets.
// run: no
#include <assert.h>
#include <glob.h>
#include <mcheck.h>
#include <stdio.h>
#include <sys/mman.h>

int main(int argc, char **argv) {
    mtrace();
    unsigned char pages[2];
    void *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 1;
    if (mincore(p, 8192, pages) == 0 && pages[0] & 1 && pages[1] & 1)
        puts("both");
    munmap(p, 8192);
    assert(glob_pattern_p("a*", 1) && !glob_pattern_p("a\\*", 1) && glob_pattern_p("a\\*", 0));
    assert(glob_pattern_p("[a]", 1) && !glob_pattern_p("]a[", 1) && !glob_pattern_p("", 1));
    muntrace();
    return 0;
}

// Sizes that are asked for twice, texts that end once, sets that are not empty.
// run: no
#define _GNU_SOURCE
#include <assert.h>
#include <regex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void descriptors(void)
{
    long n = sysconf(_SC_OPEN_MAX);
    if (n > 0)
        assert(sysconf(_SC_OPEN_MAX) == n);
    assert(sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) > 0);
}

static void reason(void)
{
    regex_t r;
    int e = regcomp(&r, "[", 0);
    if (e == 0) {
        regfree(&r);
        return;
    }
    size_t n = regerror(e, &r, NULL, 0);
    assert(n > 0 && regerror(e, &r, NULL, 0) == n);
}

static void target(void)
{
    char text[64];
    ssize_t n = readlink("/proc/self/exe", text, sizeof text - 1);
    if (n < 0)
        return;
    text[n] = 0;
    assert(strlen(text) == (size_t)n);
}

static void processors(void)
{
    cpu_set_t all;
    if (sched_getaffinity(0, sizeof all, &all) == 0)
        assert(CPU_COUNT(&all) > 0);
}

static void nameless(void)
{
    assert(access("", F_OK) != 0);
    assert(unlink("") != 0);
}

int main(void)
{
    descriptors();
    reason();
    target();
    processors();
    nameless();
    return 0;
}

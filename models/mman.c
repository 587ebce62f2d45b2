/* <sys/mman.h>: private and anonymous mappings as heap objects. A private mapping of a file is its content at the time of
 * the call. Shared writable files, fixed addresses and partial unmapping are not modelled. */
#include "internal.h"
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#define PAGE 4096ul

static size_t whole_pages(size_t n)
{
    return (n + PAGE - 1) / PAGE * PAGE;
}

static void *map(void *at, size_t n, int protection, int flags, int fd, long off)
{
    if (n == 0 || off % (long)PAGE != 0) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))
        __verify_unmodelled("mmap at a fixed address");
    if (protection == PROT_NONE || (flags & MAP_ANONYMOUS && !(protection & PROT_WRITE)))
        __verify_unmodelled("mmap of memory that may not be written");
    if (flags & MAP_SHARED && protection & PROT_WRITE)
        __verify_unmodelled("mmap of shared writable memory");
    if (n > VM_LARGEST || __verify_choose_failure("mmap")) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    long before = 0;
    if (!(flags & MAP_ANONYMOUS)) {
        before = vm_lseek(fd, 0, SEEK_CUR);
        long r = before < 0 ? before : __verify_sys_lseek(fd, off, SEEK_SET);
        if (r < 0) {
            errno = (int)-r;
            return MAP_FAILED;
        }
    }
    char *p = __verify_alloc(whole_pages(n), PAGE, VERIFY_FAMILY_MMAP);
    __builtin_memset(p, 0, whole_pages(n));
    if (!(flags & MAP_ANONYMOUS)) {
        size_t done = 0;
        while (done < n) {
            long r = __verify_sys_read(fd, p + done, n - done);
            if (r <= 0)
                break;
            done += (size_t)r;
        }
        __verify_sys_lseek(fd, before, SEEK_SET);
        if (whole_pages(done) < whole_pages(n))
            __verify_unmodelled("mmap of more than the file has");
    }
    return p;
}

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t off)
{
    return map(at, n, protection, flags, fd, off);
}

void *mmap64(void *at, size_t n, int protection, int flags, int fd, off64_t off)
{
    return map(at, n, protection, flags, fd, (long)off);
}

int munmap(void *p, size_t n)
{
    if (n == 0 || (uintptr_t)p % PAGE != 0) {
        errno = EINVAL;
        return -1;
    }
    if (__verify_object_size(p) != whole_pages(n))
        __verify_unmodelled("munmap of a part of a mapping");
    __verify_free(p, VERIFY_FAMILY_MMAP);
    return 0;
}

/* Advice may not be known to this system, a file not be written, and the memory that a user may lock has a bound. */
static vm_reasons no_advice = {EINVAL, ENOMEM, EAGAIN, EBADF, EIO, EPERM, EINVAL, ENOMEM};

int madvise(void *p, size_t n, int advice) { return vm_fails("madvise", no_advice) ? -1 : 0; }
int posix_madvise(void *p, size_t n, int advice)
{
    return __verify_choose_failure("posix_madvise") ? no_advice[__verify_nondet_u64("posix_madvise") & 7] : 0;
}
int msync(void *p, size_t n, int flags)
{
    static vm_reasons why = {EIO, ENOSPC, EBUSY, EINVAL, ENOMEM, EIO, EDQUOT, EBUSY};
    return vm_fails("msync", why) ? -1 : 0;
}
int mlock(const void *p, size_t n)
{
    static vm_reasons why = {ENOMEM, EPERM, EAGAIN, ENOMEM, EPERM, EAGAIN, ENOMEM, EPERM};
    return vm_fails("mlock", why) ? -1 : 0;
}
int munlock(const void *p, size_t n) { return 0; }

/* Taking rights away is not modelled; giving them is nothing. */
int mprotect(void *p, size_t n, int protection)
{
    if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
        __verify_unmodelled("mprotect that takes rights away");
    static vm_reasons why = {ENOMEM, EACCES, EINVAL, ENOMEM, EACCES, ENOMEM, EACCES, ENOMEM};
    return vm_fails("mprotect", why) ? -1 : 0;
}

/* Which pages are in memory: one byte for each, of which the lowest bit says it. */
int mincore(void *start, size_t n, unsigned char *in_memory)
{
    static vm_reasons why = {EAGAIN, ENOMEM, EINVAL, EAGAIN, ENOMEM, EINVAL, EAGAIN, ENOMEM};
    __verify_analysis_only("mincore");
    if (vm_fails("mincore", why))
        return -1;
    __verify_nondet_bytes(in_memory, n / 4096 + (n % 4096 != 0), "mincore");
    return 0;
}

/* Pseudo-random numbers, glibc's own sequences: rand/random are the additive generator x^31 + x^3 + 1 (TYPE_3), the
 * drand48 family is the 48-bit linear congruential generator of POSIX. After a seed that comes from outside (the clock or
 * a process number was asked for before `srand`) rand and random give any numbers: nobody knows which of the sequences it
 * is, and C promises no more than the range. `verify check` has it so from the beginning (it sets
 * `__verify_any_sequence`); that the same seed gives the same numbers again is then not modelled.
 * initstate/setstate are not modelled (they stay external). */
#include "internal.h"
#include <stdlib.h>

#define DEGREE 31
#define SEPARATION 3

static unsigned state[DEGREE];
static int front = SEPARATION, rear, seeded, arbitrary, drawn;
int __verify_any_sequence;

static unsigned step(void)
{
    unsigned r = state[front] += state[rear];
    front = front + 1 == DEGREE ? 0 : front + 1;
    rear = rear + 1 == DEGREE ? 0 : rear + 1;
    return r >> 1;
}

static void seed_state(unsigned seed)
{
    if (seed == 0)
        seed = 1;
    state[0] = seed;
    long word = (int)seed;
    for (int i = 1; i < DEGREE; i++) {
        long high = word / 127773, low = word % 127773;
        word = 16807 * low - 2836 * high;
        if (word < 0)
            word += 2147483647;
        state[i] = (unsigned)word;
    }
    front = SEPARATION;
    rear = 0;
    seeded = 1;
    for (int i = 0; i < 10 * DEGREE; i++)
        step();
}

static unsigned next(void)
{
    drawn = 1;
    if (arbitrary || __verify_any_sequence)
        return (unsigned)(__verify_nondet_u64("rand") & RAND_MAX);
    if (!seeded)
        seed_state(1);
    return step();
}

int rand(void)
{
    return (int)next();
}

long random(void)
{
    return (long)next();
}

static void set_seed(unsigned seed)
{
    if (__verify_any_sequence) {
        if (drawn)
            __verify_unmodelled("a second sequence of random numbers");
        return;
    }
    arbitrary = __verify_lib_outside_numbers;
    if (!arbitrary)
        seed_state(seed);
}

void srand(unsigned seed) { set_seed(seed); }
void srandom(unsigned seed) { set_seed(seed); }

int rand_r(unsigned *seed)
{
    unsigned x = *seed, r;
    x = x * 1103515245 + 12345;
    r = (x / 65536) % 2048;
    x = x * 1103515245 + 12345;
    r = (r << 10) ^ ((x / 65536) % 1024);
    x = x * 1103515245 + 12345;
    r = (r << 10) ^ ((x / 65536) % 1024);
    *seed = x;
    return (int)r;
}

#define MULTIPLIER 0x5deece66dULL
#define ADDEND 0xb

static unsigned short x48[3], old48[3];
static unsigned long long multiplier = MULTIPLIER;
static unsigned short addend = ADDEND;

static unsigned long long advance(unsigned short x[3])
{
    unsigned long long v = (unsigned long long)x[2] << 32 | (unsigned long long)x[1] << 16 | x[0];
    v = (v * multiplier + addend) & 0xffffffffffffULL;
    x[0] = (unsigned short)(v & 0xffff);
    x[1] = (unsigned short)(v >> 16 & 0xffff);
    x[2] = (unsigned short)(v >> 32 & 0xffff);
    return v;
}

double erand48(unsigned short x[3])
{
    return (double)advance(x) / 281474976710656.0;
}

long nrand48(unsigned short x[3])
{
    return (long)(advance(x) >> 17);
}

long jrand48(unsigned short x[3])
{
    return (long)(int)(unsigned)(advance(x) >> 16);
}

double drand48(void)
{
    return erand48(x48);
}

long lrand48(void)
{
    return nrand48(x48);
}

long mrand48(void)
{
    return jrand48(x48);
}

void srand48(long seed)
{
    x48[2] = (unsigned short)((unsigned long)seed >> 16 & 0xffff);
    x48[1] = (unsigned short)((unsigned long)seed & 0xffff);
    x48[0] = 0x330e;
    multiplier = MULTIPLIER;
    addend = ADDEND;
}

unsigned short *seed48(unsigned short seed[3])
{
    for (int i = 0; i < 3; i++) {
        old48[i] = x48[i];
        x48[i] = seed[i];
    }
    multiplier = MULTIPLIER;
    addend = ADDEND;
    return old48;
}

void lcong48(unsigned short p[7])
{
    for (int i = 0; i < 3; i++)
        x48[i] = p[i];
    multiplier = (unsigned long long)p[5] << 32 | (unsigned long long)p[4] << 16 | p[3];
    addend = p[6];
}

/* Entropy from outside. */
unsigned arc4random(void)
{
    return (unsigned)__verify_nondet_u64("arc4random");
}

unsigned arc4random_uniform(unsigned bound)
{
    return bound < 2 ? 0 : (unsigned)__verify_nondet_u64("arc4random_uniform") % bound;
}

void arc4random_buf(void *p, size_t n)
{
    __verify_nondet_bytes(p, n, "arc4random_buf");
}

/* No more than 256 bytes come all or not at all. */
ssize_t getrandom(void *p, size_t n, unsigned flags)
{
    static vm_reasons why = {EAGAIN, EINTR, ENOSYS, EINVAL, EAGAIN, EINTR, EAGAIN, EINTR};
    VM_DEFINED(flags, "getrandom");
    if (vm_fails("getrandom", why))
        return -1;
    if (n > 256) {
        unsigned long got = __verify_nondet_u64("getrandom");
        if (got < n)
            n = got < 256 ? 256 : got;
        if (n > INT_MAX)
            n = INT_MAX;
    }
    __verify_nondet_bytes(p, n, "getrandom");
    return (ssize_t)n;
}

int getentropy(void *p, size_t n)
{
    if (n > 256 || __verify_choose_failure("getentropy")) {
        errno = EIO;
        return -1;
    }
    __verify_nondet_bytes(p, n, "getentropy");
    return 0;
}

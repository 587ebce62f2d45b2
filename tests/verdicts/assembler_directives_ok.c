// check: --property unreach-call
// verdict: TRUE
// A version of a name says nothing about what runs.
extern void reach_error(void);
int level(void) { return 1; }
__asm__(".symver level, level@V1");
int main(void) {
    if (level() != 1)
        reach_error();
    return 0;
}

// check: --property unreach-call
// verdict: UNKNOWN(unmodelled: pointer in address space 257 at address_space_unknown.c:5)
extern void reach_error(void);
long offset = 40;
int main(void) {
    long guard = *(long __seg_fs *)offset;
    if (guard)
        reach_error();
    return 0;
}

// verdict: TRUE
// check: --property unreach-call
// A pointer that nobody knows is null or not, whenever it is asked.
int *nondet_pointer(void);
extern void reach_error(void);
int main(void)
{
    int *p = nondet_pointer();
    if (p == 0)
        return 0;
    if (p == 0)
        reach_error();
    return 0;
}

// verdict: UNKNOWN(abstraction: may fail for all that is known)
// check: --property unreach-call
// The end of one variable may be the start of another one.
extern void reach_error(void);
int before[2];
int between[2];
int after[2];
int main(void)
{
    int *end = between + 2;
    if (end == after || end == before)
        reach_error();
    return 0;
}

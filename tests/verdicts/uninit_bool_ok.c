// verdict: TRUE
// check: --property unreach-call
// A `_Bool` that was not set is one of the two.
extern void reach_error(void);
int main(void)
{
    _Bool b;
    int x = b ? 3 : 4;
    if (x != 3 && x != 4)
        reach_error();
    return 0;
}

// verdict: FALSE(unreach-call)
// check: --property unreach-call
// The rest of a union after a member of it was set.
extern void reach_error(void);
union u { int i; char c; };
int main(void)
{
    union u u;
    u.c = 1;
    if (u.i == 0x55667701)
        reach_error();
    return 0;
}

// verdict: UNKNOWN(unmodelled: `__CPROVER_havoc_object` means something that is not known here)
// check: --property unreach-call
// Not a function whose body is missing: it changes what its argument points to.
extern void reach_error(void);
void __CPROVER_havoc_object(void *);
int main(void)
{
    int x = 1;
    __CPROVER_havoc_object(&x);
    if (x != 1)
        reach_error();
    return 0;
}

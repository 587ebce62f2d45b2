// verdict: UNKNOWN(unmodelled: `reach_error` means something that is not known here)
// check: --property unreach-call
// A call of the error function; its code runs by another name as well.
void reach_error(void) {}
void fail(void) __attribute__((alias("reach_error")));

int main(void)
{
    reach_error();
    return 0;
}

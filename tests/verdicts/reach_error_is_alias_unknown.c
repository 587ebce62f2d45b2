// verdict: UNKNOWN(unmodelled: `reach_error` means something that is not known here)
// check: --property unreach-call
// A call of the error function; it is a second name itself.
static void real(void) {}
void reach_error(void) __attribute__((alias("real")));

int main(void)
{
    reach_error();
    return 0;
}

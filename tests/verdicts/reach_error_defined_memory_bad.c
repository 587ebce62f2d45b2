// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// For other properties, its body is a body.
static void reach_error(void) {}

int main(void)
{
    int *p = 0;
    reach_error();
    *p = 1;
    return 0;
}

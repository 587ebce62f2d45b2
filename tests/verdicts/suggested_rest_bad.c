// verdict: FALSE(unreach-call)
// check: --property unreach-call
// A sum of threes is none modulo three once it has wrapped around.
extern void reach_error(void);
int main(void)
{
    unsigned i = 4294967040;
    while (i > 200)
        i += 3;
    if (i % 3 != 0)
        reach_error();
}

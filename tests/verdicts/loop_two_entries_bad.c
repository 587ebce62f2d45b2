// verdict: FALSE(unreach-call)
// check: --property unreach-call
// The loop is entered in its middle only.
extern void reach_error(void);
int main(void)
{
    unsigned h = 5, p = 0;
    switch (h & 3) {
    case 0:
        do {
            p += 1;
        case 3:
            p += 10;
        case 2:
            p += 100;
        case 1:
            p += 1000;
        } while (h-- > 4);
    }
    if (p == 2111)
        reach_error();
    return 0;
}

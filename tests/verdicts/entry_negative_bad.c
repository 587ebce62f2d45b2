// verdict: FALSE(unreach-call)
// check: --property unreach-call --entry f
// The first parameter of a function that is no `main` does not count anything.
extern void reach_error(void);
void f(int x)
{
    unsigned u = x;
    if (x < -5 && u * 2654435761u == 0x9e3779b1u * 0xfff34567u)
        reach_error();
}

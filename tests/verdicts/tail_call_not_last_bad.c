// verdict: FALSE(unreach-call)
// check: --property unreach-call
// What comes after one of the calls counts.
extern void reach_error(void);
static int g;
static void twice(int n)
{
    if (n <= 0)
        return;
    if (n % 2) {
        twice(n - 1);
        return;
    }
    twice(n - 1);
    g++;
}
int main(void)
{
    twice(6);
    if (g == 3)
        reach_error();
    return 0;
}

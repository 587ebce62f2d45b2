// verdict: TRUE
// check: --property termination
// One execution only, and that one ends; ranking functions would not be found.
int main(void)
{
    unsigned n = 27, steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps != 111;
}

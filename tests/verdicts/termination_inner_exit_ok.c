// verdict: TRUE
// check: --property termination
// The outer loop ends because the inner one leaves less than it found.
int main(void)
{
    unsigned x = 100, y;
    while (x > 0) {
        for (y = x; y > 0; y--)
            if (y == 3)
                break;
        x--;
    }
    return 0;
}

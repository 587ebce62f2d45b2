// verdict: FALSE(termination)
// check: --property termination
// What the loop counts is set back under a condition on the sum, which checks for overflow make an operation of two results.
int main(void)
{
    int x = 0;
    while (x < 500) {
        x++;
        if (x == 400)
            x = 0;
    }
    return 0;
}

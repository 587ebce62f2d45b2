// verdict: FALSE(termination)
// check: --property termination
// No state comes twice before the turns have come round; that x stays below 400 is kept up all the same.
int main(void)
{
    int x = 0;
    unsigned turns = 0;
    while (x < 500) {
        x++;
        if (x == 400) {
            x = turns % 2;
            turns++;
        }
    }
    return 0;
}

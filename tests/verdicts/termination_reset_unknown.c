// verdict: UNKNOWN(no ranking function found for the loop in `main`, line 9)
// check: --property termination
// slow
// No state comes twice before the turns have come round, and nothing may be taken for a ranking function.
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

// verdict: TRUE
// check: --property unreach-call
// Ten tenths are not one; ten eighths are 1.25.
extern void reach_error(void);
int main(void)
{
    double tenths = 0, eighths = 0;
    for (int i = 0; i < 10; i++) {
        tenths += 0.1;
        eighths += 0.125;
    }
    if (tenths == 1.0 || eighths != 1.25)
        reach_error();
    return 0;
}

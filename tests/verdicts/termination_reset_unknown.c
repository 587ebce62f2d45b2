// verdict: UNKNOWN(no ranking function found for the loop in `g`, line 7)
// check: --property termination --entry g
// The same without a run from `main`: nothing may be taken for a ranking function.
void g(void)
{
    int x = 0;
    while (x < 500) {
        x++;
        if (x == 400)
            x = 0;
    }
}
int main(void)
{
    g();
    return 0;
}

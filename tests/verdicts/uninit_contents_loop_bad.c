// verdict: FALSE(unreach-call)
// check: --property unreach-call
// In each iteration the array is a new one.
extern void reach_error(void);
int main(void)
{
    int last = 5;
    for (int i = 0; i < 3; i++) {
        int a[2];
        if (a[0] != last + 1)
            return 0;
        last = a[0];
        a[0] = 0;
    }
    reach_error();
    return 0;
}

// Either the index goes up or its element goes down.
// check: --property termination
// verdict: UNKNOWN(no ranking function found for the loop in `main`, line 8)
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[1048];
    int k = 0;
    while (a[k] >= 0 && k < 1048) {
        if (__VERIFIER_nondet_int())
            k++;
        else
            a[k]--;
    }
    return 0;
}

// verdict: TRUE
// check: --property termination
// Loops of known length, too many turns together to follow them all.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int odd = 0;
    for (int i = 0; i < 300; i++)
        for (int j = 0; j < 300; j++)
            for (int k = 0; k < 300; k++)
                if (n > k)
                    odd ^= 1;
    return odd;
}

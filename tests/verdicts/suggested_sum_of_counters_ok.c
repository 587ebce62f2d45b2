// verdict: TRUE
// check: --property unreach-call --timeout 60
// slow
// Relations of three and four values, which no domain has rows for: runs suggest them.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void)
{
    int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
    if (first < -1000000 || first > 1000000 || second < -1000000 || second > 1000000)
        return 0;
    int made = 0;
    for (int i = 0; i < first; i++)
        made++;
    for (int i = 0; i < second; i++)
        made++;
    for (int taken = 0; taken < first + second; taken++) {
        if (made <= 0)
            reach_error();
        made--;
    }
    return 0;
}

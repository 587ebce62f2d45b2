// check: --property unreach-call --data-model LP64
// verdict: TRUE
// A coroutine: control enters the loop at its head, or where it left it the last time.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int place, sent, got;
static void writer(void)
{
    if (place == 1)
        goto waited;
    while (1) {
        sent = 1;
        place = 1;
        return;
    waited:
        if (sent != 0)
            return;
        place = 2;
    }
}
int main(void)
{
    for (int i = 0; i < 20; i++) {
        writer();
        if (place != 1 || sent != 1)
            reach_error();
        if (__VERIFIER_nondet_int()) {
            sent = 0;
            got++;
        }
    }
    return 0;
}

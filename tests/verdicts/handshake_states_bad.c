// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// The states of a protocol, one of which is reached as it should not be.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int state = 4096, next, phase = 0, resumed = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        switch (state) {
        case 4096:
            state = 4112;
            if (phase == 0)
                phase = 1;
            break;
        case 4112:
            if (phase == 1)
                phase = 2;
            state = resumed ? 4160 : 4128;
            break;
        case 4128:
            next = __VERIFIER_nondet_int() ? 4144 : 4160;
            state = 4352;
            break;
        case 4144:
            next = 4176;
            state = 4352;
            if (phase == 2)
                phase = 3;
            break;
        case 4160:
            next = 4176;
            state = 4352;
            break;
        case 4176:
            if (phase == 1)
                reach_error();
            if (phase == 3 && !resumed)
                reach_error();
            state = 3;
            break;
        case 4352:
            state = next;
            break;
        case 3:
            return 0;
        default:
            reach_error();
        }
    }
    return 0;
}

// verdict: FALSE(unreach-call)
// check: --property unreach-call
// Behind the loop the field is what the load in the last iteration gave, whichever iteration that was.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static struct { unsigned n; } box;
int main(void)
{
    for (;;) {
        unsigned now = box.n;
        if (now == 3 || __VERIFIER_nondet_int())
            break;
        box.n = now + 1;
    }
    if (box.n == 2)
        reach_error();
    return 0;
}

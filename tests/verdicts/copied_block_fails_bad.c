// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// A loop with two entries: what fails on the way in by one of them only is not lost where its blocks are copied.
extern void reach_error(void);
int main(int argc, char **argv)
{
    int i = argc & 3, first = 1;
    (void)argv;
    if (argc == 2) {
        first = 0;
        goto inside;
    }
    do {
        i = (i + 1) & 3;
    inside:
        if (first == 0)
            reach_error();
    } while (i != 0);
    return 0;
}

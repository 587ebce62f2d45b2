// verdict: FALSE(unreach-call)
// check: --property unreach-call
// What memory held before is a choice, even where one run from zeros passes.
extern void reach_error(void);
static int get(int *p) { return *p; }
int main(void)
{
    int x, y;
    y = get(&x);
    if (y == 31337)
        reach_error();
    return 0;
}

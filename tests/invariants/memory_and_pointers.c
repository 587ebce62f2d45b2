// Rows over memory, over offsets of pointers, and between variables.
// invariant: 19: i <= n
// invariant: 19: 0 <= i
// invariant: 22: total <= 9
// invariant: 22: i <= j
// invariant: 28: offset(p) <= 40
extern int __VERIFIER_nondet_int(void);

static unsigned total;
static int array[10];

int main(void)
{
    int i = 0, n = __VERIFIER_nondet_int();

    if (n < 0 || n > 1000)
        return 0;

    while (i < n) {
        int j = i;

        while (j < n && __VERIFIER_nondet_int()) {
            j += 2;
            total = (total + 3) % 10;
        }
        i++;
    }
    for (int *p = array; p < array + 10; p++)
        *p = 1;
    return 0;
}

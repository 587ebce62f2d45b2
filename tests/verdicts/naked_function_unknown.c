// verdict: UNKNOWN(unmodelled: naked function (inline assembly only) is not encoded in `raw`, line 6)
// check: --property valid-memsafety
// What a function in assembly does to memory, and whether it returns, nobody knows.
static int x = 1;
static int *p = &x;
__attribute__((naked)) static int raw(int **q)
{
    __asm__("movq $0, (%rdi); ret");
}
int main(void)
{
    int r = *p;
    raw(&p);
    return r + *p;
}

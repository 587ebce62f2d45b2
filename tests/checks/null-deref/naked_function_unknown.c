// What a function in assembly does to memory, and whether it returns, nobody knows.
// run: no
#include <stdlib.h>
static int x = 1;
static int *p = &x;
static int *heap;
__attribute__((naked)) static int raw(int **q)
{
    __asm__("movq $0, (%rdi); ret");
}
int main(void)
{
    heap = malloc(sizeof *heap);
    if (!heap)
        return 1;
    *heap = *p;
    raw(&p);
    x += *p; //~ unknown[null-deref]
    x += *heap; //~ unknown[use-after-free]
    return 0;
}

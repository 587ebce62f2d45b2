// What unknown code left behind conditions that come again is not what it left before.
// run: no
#include <assert.h>
extern void ext(void);
struct S { int x, y; } h;
int f(int c0, int c1, int c2, int c3, int c4)
{
    h.x = 1;
    if (c0) ext();
    if (c1) ext();
    if (c2) ext();
    if (c3) ext();
    if (c4) ext();
    int a = h.y;
    if (c0) ext();
    if (c1) ext();
    if (c2) ext();
    if (c3) ext();
    if (c4) ext();
    assert(a == h.y); //~ unknown[assertion]
    return a;
}

// What is printed stays what it was: no format of the program has %n.
#include <stdio.h>

struct point {
    int x, y;
};

int main(int argc, char **argv)
{
    struct point p = {argc, 2};
    struct point *q = &p;
    double d = argc / 2.0;
    printf("%s %d%% %p %g\n", argv[0], p.x, (void *)q, d);
    if (q->y == 2) //~ proved[uninit-read]
        return 0;
    return *(q->x ? &q->y : NULL); //~ proved[null-deref]
}

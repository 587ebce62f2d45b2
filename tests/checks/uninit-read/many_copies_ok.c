// Twenty objects that are copied to each other: what one of them holds comes on more ways than can be looked at.
#include <stdio.h>

struct pair {
    int a, b;
};

int main(void)
{
    struct pair x0 = {0, 0}, x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0, x8 = x0, x9 = x0;
    struct pair y0 = {1, 1}, y1 = y0, y2 = y0, y3 = y0, y4 = y0, y5 = y0, y6 = y0, y7 = y0, y8 = y0, y9 = y0;
    struct pair *all[] = {&x0, &x1, &x2, &x3, &x4, &x5, &x6, &x7, &x8, &x9,
                          &y0, &y1, &y2, &y3, &y4, &y5, &y6, &y7, &y8, &y9};
    for (int c = getchar(); c >= 0; c = getchar())
        *all[c % 20] = *all[c / 20 % 20];
    return y9.b;
}

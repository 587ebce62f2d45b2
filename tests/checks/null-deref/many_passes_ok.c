// Numbers that move on by one variable in each round: what holds of the pointer is known all the same once it was used.
#define SHIFT(a, b) a##9 = a##8, a##8 = a##7, a##7 = a##6, a##6 = a##5, a##5 = a##4, a##4 = a##3, a##3 = a##2, \
                    a##2 = a##1, a##1 = a##0, a##0 = b##9
#define TEN(a) a##0 = 0, a##1 = 0, a##2 = 0, a##3 = 0, a##4 = 0, a##5 = 0, a##6 = 0, a##7 = 0, a##8 = 0, a##9 = 0
#define USE(a) (a##0 ^ a##1 ^ a##2 ^ a##3 ^ a##4 ^ a##5 ^ a##6 ^ a##7 ^ a##8 ^ a##9)
int moves(int *p, int n)
{
    unsigned TEN(a), TEN(b), TEN(c), TEN(d), TEN(e), TEN(f), TEN(g), TEN(h);
    unsigned z9 = (unsigned)*p; //~ latent[null-deref]
    while (n-- > 0) {
        SHIFT(h, g);
        SHIFT(g, f);
        SHIFT(f, e);
        SHIFT(e, d);
        SHIFT(d, c);
        SHIFT(c, b);
        SHIFT(b, a);
        SHIFT(a, z);
        z9 += (unsigned)*p; //~ proved[null-deref] proved[use-after-free]
    }
    return (int)(USE(a) ^ USE(b) ^ USE(c) ^ USE(d) ^ USE(e) ^ USE(f) ^ USE(g) ^ USE(h));
}

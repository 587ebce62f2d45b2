// Computed goto in code that is the same: what is a block's or a function's number is of no matter, which one it is is.
// diff: run equal by identity
// diff: swapped changed
// diff: distances equal by identity
// diff: distances_near changed
// diff: local equal by identity
// diff: local_near changed
int first(int x) { return x + 1; }
static int half(int x) { return x / 2; }
int second(int x) { return half(x) + 1; }
int swapped(const unsigned char *p, int x) {
    static const void *const table[] = {&&stop, &&less, &&more};
    goto *table[*p % 3];
more: x++; goto *table[*++p % 3];
less: x--; goto *table[*++p % 3];
stop: return x;
}
int run(const unsigned char *p, int x) {
    static const void *const table[] = {&&stop, &&more, &&less};
    goto *table[*p % 3];
more: x++; goto *table[*++p % 3];
less: x--; goto *table[*++p % 3];
stop: return x;
}
int distances_near(unsigned k, int x) {
    static const int table[] = {&&two - &&one, &&one - &&one};
    goto *(&&one + table[k % 2]);
one: return x + 1;
two: return half(x);
}
int distances(unsigned k, int x) {
    static const int table[] = {&&one - &&one, &&two - &&one};
    goto *(&&one + table[k % 2]);
one: return x + 1;
two: return half(x);
}
int local_near(unsigned k, int x) {
    void *at = k ? &&two : &&one;
    goto *at;
one: return x + 1;
two: return x + 2;
}
int local(unsigned k, int x) {
    void *at = k ? &&one : &&two;
    goto *at;
one: return x + 1;
two: return x + 2;
}

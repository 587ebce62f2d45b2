static int half(int x) { return x / 2; }
int run(const unsigned char *p, int x) {
    static const void *const table[] = {&&stop, &&more, &&less};
    goto *table[*p % 3];
more: x++; goto *table[*++p % 3];
less: x--; goto *table[*++p % 3];
stop: return x;
}
int swapped(const unsigned char *p, int x) {
    static const void *const table[] = {&&stop, &&more, &&less};
    goto *table[*p % 3];
more: x++; goto *table[*++p % 3];
less: x--; goto *table[*++p % 3];
stop: return x;
}
int distances(unsigned k, int x) {
    static const int table[] = {&&one - &&one, &&two - &&one};
    goto *(&&one + table[k % 2]);
one: return x + 1;
two: return half(x);
}
int distances_near(unsigned k, int x) {
    static const int table[] = {&&one - &&one, &&two - &&one};
    goto *(&&one + table[k % 2]);
one: return x + 1;
two: return half(x);
}
int local(unsigned k, int x) {
    void *at = k ? &&one : &&two;
    goto *at;
one: return x + 1;
two: return x + 2;
}
int local_near(unsigned k, int x) {
    void *at = k ? &&one : &&two;
    goto *at;
one: return x + 1;
two: return x + 2;
}

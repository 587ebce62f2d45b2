// A member of an object at null is at a small address, which is no object either.
struct big { char head[64]; int tail; };
static struct big *lookup(int key) {
    static struct big one;
    return key == 1 ? &one : 0;
}
int main(void) {
    lookup(1)->tail = 4;
    return lookup(2)->tail; //~ violated[null-deref]
}

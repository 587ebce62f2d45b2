// Set on every way that reads it; copied around while unset.
static int f(int n) {
    int x, y;
    if (n > 0) x = 1;
    y = x;
    if (n > 0) return y;
    y = 5;
    return y;
}
int main(void) { return f(1) + f(0) != 6; }

// A function called as if it had another type.
static double half(double d) { return d / 2; }
int main(void) {
    int (*f)(int, int) = (int (*)(int, int))half;
    return f(1, 2); //~ violated[invalid-call]
}

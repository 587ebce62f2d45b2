// Not a number is not an integer either.
int main(void) {
    volatile double zero = 0;
    double d = zero / zero;
    long l = (long)d; //~ violated[float-cast]
    return l == 0;
}

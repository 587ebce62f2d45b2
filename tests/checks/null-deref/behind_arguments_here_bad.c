// The same in main: the bounds of the vector hold for both, what is in it does not.
int main(int argc, char **argv) {
    int k = argc > 1 ? 0 : 1;
    char **p = argv + k;
    return **p == 'x'; //~ violated[null-deref]
}

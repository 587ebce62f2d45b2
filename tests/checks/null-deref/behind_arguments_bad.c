// The pointer behind the last argument is null; one that leads to either is not known to be of an argument.
static int first(char **p) {
    return **p; //~ violated[null-deref]
}
int main(int argc, char **argv) {
    int k = argc > 1 ? 0 : 1;
    char **p = argv + k;
    return first(p) == 'x';
}

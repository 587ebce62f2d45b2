// One past the end of a local array.
static int get(int i) {
    int a[3] = {1, 2, 3};
    return a[i]; //~ violated[array-index]
}
int main(void) { return get(2) + get(3); }

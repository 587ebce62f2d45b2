// The check of the pointer depends on another variable that does not go with it.
static int get(int have, const int *p) {
    if (have > 0) return *p; //~ violated[null-deref]
    return 0;
}
int main(void) {
    int x = 1;
    return get(0, 0) + get(1, &x) + get(2, 0);
}

// The index of a variable length array.
static int fill(int n) {
    int v[n];
    for (int i = n; i >= 0; i--)
        v[i] = i; //~ violated[array-index]
    return v[0];
}
int main(void) { return fill(3); }

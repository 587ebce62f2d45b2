// Rows and columns exchanged: inside the whole, outside the row.
static int m[2][5];
static int get(int i, int j) {
    return m[i][j]; //~ violated[array-index]
}
int main(void) { return get(1, 4) + get(4, 1); }

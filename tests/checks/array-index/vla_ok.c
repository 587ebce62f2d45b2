// A variable length array used to its ends, in two dimensions.
static int fill(int n) {
    int v[n][n + 1];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n; j++) v[i][j] = i * j;
    return v[n - 1][n];
}
int main(void) { return fill(3) != 6; }

// In the right order; a row as an array of its own.
static int m[2][5];
static int sum(const int *row, int n) { int s = 0; while (n--) s += *row++; return s; }
int main(void) {
    int s = 0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 5; j++) m[i][j] = i + j;
        s += sum(m[i], 5);
    }
    return s != 25;
}

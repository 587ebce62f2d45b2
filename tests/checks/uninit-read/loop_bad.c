// A new variable in each round, set in the first.
int main(void) {
    int r = 0;
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 0) x = 4;
        if (x > 3) r++; //~ violated[uninit-read]
    }
    return r != 1;
}

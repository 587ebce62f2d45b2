// 64 and 128 bits overflow as well.
static __int128 grow(__int128 v, int n) {
    while (n--)
        v *= 1000000007; //~ violated[signed-overflow]
    return v;
}
int main(void) { return grow(1, 4) > 0 && grow(1, 5) > 0; }

// An index decides which memory is read.
static const int table[256];
int main(void) {
    unsigned char i;
    volatile int zero = 0;
    if (zero) i = 1;
    return table[i]; //~ violated[uninit-read]
}

// A version of a name is for the linker.
int parts = 3;
int half(int n) { return n / 2; }
__asm__(".symver half, half@V1");
int main(void) { return half(12) / parts; } //~ proved[div-by-zero]

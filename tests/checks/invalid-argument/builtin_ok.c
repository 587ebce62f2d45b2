// Asked before.
static int log2_of(unsigned v) { return v ? 31 - __builtin_clz(v) : -1; }
int main(void) { return log2_of(8) + log2_of(0) != 2; }

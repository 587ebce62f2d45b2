int rounds(int n) {
    int i = 0, j = 0;
    while (i <= n) { i++; j++; }
    return j;
}
int rounds_less(int n) {
    int i = 0, j = 0;
    while (i <= n) { i++; j++; }
    return j;
}
unsigned steps(unsigned n) {
    unsigned i = 0, sum = 0;
    while (i < n) { i++; sum += 3; }
    return sum;
}
unsigned steps_of_four(unsigned n) {
    unsigned i = 0, sum = 0;
    while (i < n) { i++; sum += 3; }
    return sum;
}
int compared(const char *s, const char *t, unsigned long n) {
    unsigned char a = 0, b = 0;
    while (n > 0) {
        a = *s++;
        b = *t++;
        if (a == 0 || a != b) return a - b;
        n--;
    }
    return a - b;
}
int compared_short(const char *s, const char *t, unsigned long n) {
    unsigned char a = 0, b = 0;
    while (n > 0) {
        a = *s++;
        b = *t++;
        if (a == 0 || a != b) return a - b;
        n--;
    }
    return a - b;
}

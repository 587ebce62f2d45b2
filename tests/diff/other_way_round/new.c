// A number that counts down what another one counts up: equations between three values, written in each other's place.
// diff: rounds equal
// diff: rounds_less changed
// diff: steps equal
// diff: steps_of_four changed
int rounds(int n) {
    int left = n, j = 0;
    while (left >= 0) { left = left - 1; j++; }
    return j;
}
int rounds_less(int n) {
    int left = n, j = 0;
    while (left > 0) { left = left - 1; j++; }
    return j;
}
unsigned steps(unsigned n) {
    unsigned left = n, sum = 0;
    while (left > 0) { left--; sum += 3; }
    return sum;
}
unsigned steps_of_four(unsigned n) {
    unsigned left = n, sum = 0;
    while (left > 0) { left--; sum += left == 77 ? 4 : 3; }
    return sum;
}
// Until an end is met instead of as many times.
// diff: compared equal
// diff: compared_short changed
int compared(const char *s, const char *t, unsigned long n) {
    const unsigned char *a = (const unsigned char *)s, *b = (const unsigned char *)t, *end = a + n;
    while (a != end) {
        int difference = *a - *b;
        if (difference) return difference;
        if (!*a) return 0;
        ++a;
        ++b;
    }
    return 0;
}
int compared_short(const char *s, const char *t, unsigned long n) {
    const unsigned char *a = (const unsigned char *)s, *b = (const unsigned char *)t, *end = a + (n & 15);
    while (a != end) {
        int difference = *a - *b;
        if (difference) return difference;
        if (!*a) return 0;
        ++a;
        ++b;
    }
    return 0;
}

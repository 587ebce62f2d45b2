// The same bits go another way to a callee: as an integer and not as a number with a fraction, as an address and not as a copy.
// diff: number not-equal
// diff: printed not-equal
// diff: same equal
// diff: copy not-equal
// diff: by_value not-equal
struct big { long a[5]; };
void any();
int print(const char *, ...);
void take(struct big *);
void number(void) { any(0x3ff0000000000000L); }
void printed(void) { print("%f", 0x3ff0000000000000L); }
void same(double x) { double y = x + 1.0; print("%f", y); }
void copy(struct big *p) {
    struct big b;
    b = *p;
    take(&b);
}
long by_value(struct big *b) { return b->a[0]; }

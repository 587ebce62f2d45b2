struct big { long a[5]; };
void any();
int print(const char *, ...);
void take(struct big);
void number(void) { any(1.0); }
void printed(void) { print("%f", 1.0); }
void same(double x) { print("%f", x + 1.0); }
void copy(struct big *p) {
    struct big b;
    b = *p;
    take(b);
}
long by_value(struct big b) { return b.a[0]; }

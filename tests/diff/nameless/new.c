// Of members without a name, none is known to be which.
// diff: first not-equal
struct s {
    int pad, other;
    union { int a; char bytes[4]; };
    union { int c; char more[4]; };
};
int first(struct s *p) { return p->c; }

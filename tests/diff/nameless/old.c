struct s {
    int pad;
    union { int a; char bytes[4]; };
    union { int c; char more[4]; };
};
int first(struct s *p) { return p->a; }

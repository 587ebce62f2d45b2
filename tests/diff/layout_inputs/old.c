struct s { int a; int b; };
struct s one, many[4];
struct s *behind;
int global(void) { return one.a; }
int element(int i) { return many[i & 3].a; }
int pointed(void) { return behind ? behind->a : 0; }
static int inner(void) { return one.b; }
int below(void) { return inner(); }
void put(struct s *);
void given(void) {
    struct s s;
    s.a = 1;
    s.b = 2;
    put(&s);
}
int casts(void *p) { return ((struct s *)p)->a; }

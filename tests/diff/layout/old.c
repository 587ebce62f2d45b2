struct s { int a; int b; };
int sum(struct s *p) { return p->a + p->b; }
void put(struct s *p, int v) { p->b = v; }
int first(struct s *p) { return p->a; }

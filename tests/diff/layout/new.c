// A field is its name, not its offset.
// diff: sum equal
// diff: put equal
// diff: first not-equal
struct s { long extra; int b; int a; };
int sum(struct s *p) { return p->a + p->b; }
void put(struct s *p, int v) { p->b = v; }
int first(struct s *p) { return p->b; }

// A callee that sees only the beginning of a constant it is given a pointer to: another text that begins in the same way is
// the same to it.
// diff: open_it equal
// diff: caller equal
// diff: other_first not-equal
// diff: no_version not-equal
// diff: shorter equal
// diff: to_reports not-equal
// diff: to_second equal
// diff: to_second_other not-equal
// diff: to_keeps not-equal
// diff: to_same not-equal
// diff: to_through not-equal
// diff: to_returns not-equal
// diff: to_wide_a equal
// diff: to_wide_b not-equal
#define EXTRA 3
#define TABLE_0 3
#define TABLE_1 4
#include "body.h"
int open_it(struct stream *s) { return init(s, 3, "1.2.11", sizeof(struct stream)); }
int caller(struct stream *s) { int r = open_it(s); return r ? r : s->level; }
int other_first(struct stream *s) { return init(s, 3, "2.0", sizeof(struct stream)); }
int no_version(struct stream *s) { return init(s, 3, 0, sizeof(struct stream)); }
int shorter(struct stream *s) { return init(s, 3, "1", sizeof(struct stream)); }
int to_reports(void) { return reports("1.0.2"); }
int to_second(void) { return second("1.0.2"); }
int to_second_other(void) { return second("1.1.1"); }
int to_keeps(void) { return keeps("1.0.2"); }
int to_same(const char *p) { return same("1.0.2", p); }
int to_through(int n) { return through("1.0.2", n); }
int to_returns(const char **out) { return returns_it("1.0.2", out); }
int to_wide_a(void) { return wide(table_a); }
int to_wide_b(void) { return wide(table_b); }

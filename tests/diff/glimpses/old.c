#define EXTRA (1 + 2 * 1)
#define TABLE_0 1
#define TABLE_1 2
#include "body.h"
int open_it(struct stream *s) { return init(s, 3, "1.0.1", sizeof(struct stream)); }
int caller(struct stream *s) { int r = open_it(s); return r ? r : s->level; }
int other_first(struct stream *s) { return init(s, 3, "1.0.1", sizeof(struct stream)); }
int no_version(struct stream *s) { return init(s, 3, "1.0.1", sizeof(struct stream)); }
int shorter(struct stream *s) { return init(s, 3, "1.0.1", sizeof(struct stream)); }
int to_reports(void) { return reports("1.0.1"); }
int to_second(void) { return second("1.0.1"); }
int to_second_other(void) { return second("1.0.1"); }
int to_keeps(void) { return keeps("1.0.1"); }
int to_same(const char *p) { return same("1.0.1", p); }
int to_through(int n) { return through("1.0.1", n); }
int to_returns(const char **out) { return returns_it("1.0.1", out); }
int to_wide_a(void) { return wide(table_a); }
int to_wide_b(void) { return wide(table_b); }

#include <string.h>
struct p { char c; int i; };
void copy(struct p *a, const struct p *b) { a->c = b->c; a->i = b->i; }
void clear(struct p *a) { a->c = 0; a->i = 0; }

// One element is what the contract gives.
struct three { int v[3]; };
int first(const int *p) { return p ? *p : 0; }
int pick(const struct three *p, unsigned i) { return p && i < 3 ? p->v[i] : 0; }

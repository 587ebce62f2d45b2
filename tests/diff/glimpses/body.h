struct stream { int ready; int level; };
static const char own[] = "1.0";
void report(const char *);
static int init2(struct stream *s, int level, const char *version, int size) {
    if (version == 0 || version[0] != own[0] || size != (int)sizeof(struct stream)) return -6;
    if (s == 0) return -2;
    s->ready = EXTRA; s->level = level;
    return 0;
}
int init(struct stream *s, int level, const char *version, int size) { return init2(s, level, version, size); }
static int reports(const char *v) { if (v[0] == '1') report(v); return EXTRA; }
static int second(const char *v) { return v[1] == '.' && v[2] == '0' ? EXTRA : 5; }
static const char *kept;
static int keeps(const char *v) { kept = v; return EXTRA; }
static int same(const char *v, const char *w) { return v == w ? EXTRA : 2; }
static int through(const char *v, int n) { return v[n] + EXTRA; }
static int returns_it(const char *v, const char **out) { if (v[0] == '1') *out = v; return EXTRA; }
static int wide(const int *v) { return v[0] + EXTRA; }
static const int table_a[2] = {7, TABLE_1}, table_b[2] = {TABLE_0, 9};

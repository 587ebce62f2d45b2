// Variables that begin with something else: what a function leaves as it is, is no change of the function.
struct row { const char *name; int code; };
static struct row rows[] = { { "ok", 0 }, { "no", 1 } };
int counts[] = { 1, 2 };
struct pair { int a, b; };
struct pair both = { 1, 2 };
static struct { int uses; const char *version; } state = { 0, "1.0" };
void show(struct pair *p);
const char *first(void) { return rows[0].name; }
int second(void) { return rows[1].code; }
int third(int i) { return i == 0 ? counts[i] : 0; }
int tick(void) { return ++state.uses; }
void become(const char *s) { state.version = s; }
const char *version(void) { return state.version; }
void add(void) { both.b++; }
struct pair *hand_out(void) { return &both; }
void write_out(struct pair **to) { *to = &both; }
void pass(void) { show(&both); }
const char *say(int x) { return x ? "some" : "none"; }
const char *say_near(int x) { return x ? "some" : "none"; }

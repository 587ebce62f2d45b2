// diff: first unknown
// diff: second changed
// diff: third unknown
// diff: tick unknown
// diff: become unknown
// diff: version changed
// diff: add changed
// diff: hand_out changed
// diff: write_out changed
// diff: pass changed
// A text that became a variable of its own.
// diff: say unknown
// diff: say_near changed
struct row { const char *name; int code; };
static struct row rows[] = { { "ok", 0 }, { "on", 2 } };
int counts[] = { 1, 3 };
struct pair { int a, b; };
struct pair both = { 1, 3 };
static struct { int uses; const char *version; } state = { 0, "1.1" };
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
const char *say(int x) { static const char none[] = "none", some[] = "some"; return x ? some : none; }
const char *say_near(int x) { static const char none[] = "none", same[] = "same"; return x ? same : none; }

// Another function runs before `main`: what `main` finds is something else.
// diff: main not-equal
// diff: read_level equal
// diff: constructors differs
int level;
static __attribute__((constructor)) void set(void) { level = 1; }
void prepare(void) { set(); }
int read_level(void) { return level; }
int main(void) { prepare(); return level; }

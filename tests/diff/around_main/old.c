int level;
static void set(void) { level = 1; }
void prepare(void) { set(); }
int read_level(void) { return level; }
int main(void) { prepare(); return level; }

extern void put(const char *s);
static const char texts[] = "no\0yes";
const char *say(int x) { return x == 1 ? texts + 3 : texts; }
const char *say_near(int x) { return x == 1 ? texts + 3 : texts; }
void hand(int x) { put(x == 1 ? texts + 3 : texts); }

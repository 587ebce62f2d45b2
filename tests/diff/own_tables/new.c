// Which of its own static variables a version points into, nobody sees: no evidence of a change.
// diff: say unknown
// diff: say_near changed
// diff: hand not-equal
extern void put(const char *s);
static const char words[] = "yes\0no";
const char *say(int x) { return x == 1 ? words : words + 4; }
const char *say_near(int x) { return x == 1 ? words : x == 7 ? 0 : words + 4; }
void hand(int x) { put(x == 1 ? words : words + 4); }

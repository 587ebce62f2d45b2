// Static storage does not end.
struct view { const char *s; int n; };
static struct view make(void) {
    static char buf[4] = "abc";
    struct view v = {buf, 3};
    return v;
}
int main(void) { return make().s[0] != 'a'; }

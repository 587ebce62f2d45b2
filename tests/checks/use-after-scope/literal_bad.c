// A compound literal lives as long as its block.
struct p { int x; };
int main(void) {
    struct p *q = 0;
    if (!q) { q = &(struct p){4}; }
    return q->x; //~ violated[use-after-scope]
}

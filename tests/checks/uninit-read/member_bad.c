// One member of a struct was forgotten.
struct point { int x, y; };
static void init(struct point *p) { p->x = 1; }
int main(void) {
    struct point p;
    init(&p);
    if (p.x == 1 && p.y == 2) return 1; //~ violated[uninit-read]
    return 0;
}

// A function that refuses null, and one that no caller in the unit gives null to.
struct point { int x, y; };
static int get_x(const struct point *p) { return p->x; }
int get_y(const struct point *p) { return p ? p->y : 0; }
int both(const struct point *p) {
    if (!p) return 0;
    return (get_x(p) == 0) + (get_y(p) == 0);
}

// A function that anyone may call with null.
struct point { int x, y; };
int get_y(const struct point *p) {
    return p->y; //~ latent[null-deref]
}

// A null pointer inside a struct inside a struct: the offset is not what matters.
struct inner { int pad[20]; int *where; };
struct outer { int kind; struct inner in; };
static int read(struct outer *o) { return *o->in.where; } //~ violated[null-deref]
int main(void) {
    struct outer o = {1};
    return read(&o);
}

// The neighbour in the same byte was set, this one not.
struct bits { unsigned a : 3, b : 3; };
int main(void) {
    struct bits x;
    x.a = 1;
    if (x.b == 2) return 1; //~ violated[uninit-read]
    return 0;
}

// A length that went below zero.
static int use(int have, int used) {
    int rest[have - used]; //~ violated[vla-bound]
    rest[0] = 1;
    return rest[0];
}
int main(void) { return use(5, 3) + use(3, 5); }

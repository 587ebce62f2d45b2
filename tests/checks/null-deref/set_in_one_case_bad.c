// A mark in one case and null in another: neither is an address, and only one of them is tested for.
static int *mark = (int *)1;

int main(int argc, char **argv) {
    (void)argv;
    if (argc < 3)
        mark = 0;
    if (mark != (int *)1)
        return *mark; //~ violated[null-deref]
    return 0;
}

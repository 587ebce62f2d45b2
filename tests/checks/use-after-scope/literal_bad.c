// A compound literal lives as long as the block it is in, and a pointer to it no longer.
static int jumped_bad(int n) {
    int *q = 0;
    while (n > 0) {
        q = &(int){n};
        if (*q == 5)
            break;
        n--;
    }
    return q ? *q : 0; //~ violated[use-after-scope]
}

int main(int argc, char **argv) {
    (void)argv;
    return jumped_bad(argc);
}

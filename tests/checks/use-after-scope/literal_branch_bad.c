// The statement of an `if` is a block without braces, too (C11 6.8.4p3).
static int branch_bad(int n) {
    int *q = 0;
    if (n > 0)
        q = &(int){n};
    return q ? *q : 0; //~ violated[use-after-scope]
}

int main(int argc, char **argv) {
    (void)argv;
    return branch_bad(argc);
}

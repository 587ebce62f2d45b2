// A weak function that nobody defines is the null pointer: to call it is a failure, also without going by a pointer.
__attribute__((weak)) void absent(void);
__attribute__((weak)) int number(int);

static void asked(void) {
    if (absent)
        absent();
}

int main(int argc, char **argv) {
    asked();
    if (argc > 2 && number)
        return number(argc);
    absent(); //~ violated[null-deref]
    return 0;
}

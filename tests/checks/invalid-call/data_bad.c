// A pointer to data is no function.
static int data[4];
int main(void) {
    void (*f)(void) = (void (*)(void))data;
    f(); //~ violated[invalid-call]
    return 0;
}

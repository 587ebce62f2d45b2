// An address that nobody gave out.
int main(void) {
    volatile int *p = (volatile int *)0x12345678;
    return *p; //~ violated[invalid-deref]
}

// A weak function without a definition is called without a look at it.
// check: --property valid-memsafety
// verdict: FALSE(valid-deref)
__attribute__((weak)) void absent(void);
int main(void) {
    absent();
    return 0;
}

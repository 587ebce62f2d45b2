// Where it was asked for, a weak function without a definition is not called.
// check: --property valid-memsafety
// verdict: TRUE
__attribute__((weak)) void w(void);
int main(void){ if (w) w(); return 0; }

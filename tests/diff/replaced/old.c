int first(const char *s) { return s[0] == '1'; }
__attribute__((weak)) int first_weak(const char *s) { return s[0] == '1'; }
int reads(void) { return first("1.0"); }
int reads_weak(void) { return first_weak("1.0"); }

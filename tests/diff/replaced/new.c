// Another definition of a weak function may read all of the text.
// diff: reads equal
// diff: reads_weak not-equal
int first(const char *s) { return s[0] == '1'; }
__attribute__((weak)) int first_weak(const char *s) { return s[0] == '1'; }
int reads(void) { return first("1.1"); }
int reads_weak(void) { return first_weak("1.1"); }

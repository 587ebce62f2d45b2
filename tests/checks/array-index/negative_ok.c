// The usual cure.
static const char kind[256] = {['a'] = 1};
static int look(const char *s) {
    int n = 0;
    for (; *s; s++) n += kind[(unsigned char)*s];
    return n;
}
int main(void) { return look("abc") + look("\xe9") != 1; }

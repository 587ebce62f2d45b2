// What nobody outside sees is no change: calls of functions that only compute, static variables that only one version has,
// which of several allocations is the first that fails.
// diff: once equal
// diff: swapped equal
// diff: unused equal
// diff: other_argument not-equal
// diff: pure_once equal
// diff: counts unknown
// diff: counted unknown
// diff: renamed unknown
// diff: begins changed
// diff: cleared unknown
// diff: fails changed
// diff: unchecked changed
#include <stdlib.h>
#include <string.h>
int computes(int) __attribute__((const));
int looks(const char *) __attribute__((pure));
 static int behind;
 static int start = 2;
int once(int x) {
     int t = computes(x) & 7;
    return t + t;
}
int swapped(int x, int y) {
     int b = computes(y), a = computes(x);
    return a ^ b;
}
int unused(int x) {

    return x;
}
int other_argument(int x) { return  computes(x | 1); }
int pure_once(const char *s) {
     int t = looks(s) & 7;
    return t + t;
}
int counts(int x) {
     static int calls;
    calls = x;
    return x;
}
int counted(int x) {

    return x;
}
int renamed(int x) {  return behind += x & 1; }
int begins(void) { return  start; }
void *cleared(void) {
     return calloc(1, 16);
}
int fails(void) {
    void *p = malloc(16);
    if (!p)
        return  2;
    free(p);
    return 0;
}
int unchecked(void) {
    int *p = malloc(sizeof *p);

    *p = 0;
    free(p);
    return 0;
}

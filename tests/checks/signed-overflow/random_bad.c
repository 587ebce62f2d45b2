// Any number may come out of a generator that the clock has seeded, the largest included.
// run: no
#include <stdlib.h>
#include <time.h>
int main(void) {
    srand((unsigned)time(NULL));
    int n = rand();
    return n + 1 > 0; //~ violated[signed-overflow]
}

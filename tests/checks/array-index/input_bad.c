// An index that is read from standard input.
// run: no
#include <stdio.h>
int main(void) {
    int counts[8] = {0};
    int c = getchar();
    if (c < 0 || c > 8) return 0;
    counts[c] = 1; //~ violated[array-index]
    return counts[0];
}

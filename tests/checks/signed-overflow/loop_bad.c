// A counter of a narrow promoted type is fine, one of int is not.
#include <limits.h>
int main(void) {
    int i = INT_MAX - 2;
    for (short s = 0; s < 5; s++)
        i++; //~ violated[signed-overflow]
    return i > 0;
}

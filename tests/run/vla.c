// Variable length arrays: parameters, two dimensions, sizeof, pointers to them, typedefs, in a loop, with goto out.
#include "check.h"
#include <stddef.h>
static int trace(int n, int m[n][n]) { int s = 0; for (int i = 0; i < n; i++) s += m[i][i]; return s; }
static int side(int n, int a[static n], int b[const 2]) { return a[n - 1] + b[1]; }
static size_t count(int n) { typedef int row[n]; row r[2]; n = 1; return sizeof r; }
static int evaluated;
static int once(void) { evaluated++; return 4; }
int main(void) {
    int n = 3;
    int m[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) m[i][j] = i * n + j;
    CHECK(trace(n, m) == 12);
    CHECK(sizeof m == 9 * sizeof(int) && sizeof m[0] == 3 * sizeof(int));
    int (*row)[n] = m;
    CHECK(row[1][2] == 5 && (*(row + 2))[0] == 6);
    CHECK((char *)(row + 1) - (char *)row == (ptrdiff_t)(3 * sizeof(int)));
    int two[2] = {1, 2};
    CHECK(side(3, m[2], two) == 10);
    CHECK(count(5) == 10 * sizeof(int));
    int total = 0;
    for (int k = 1; k <= 5; k++) {
        char buf[k];
        for (int i = 0; i < k; i++) buf[i] = (char)k;
        total += buf[k - 1] + (int)sizeof buf;
        if (k == 4) goto out;
    }
out:
    CHECK(total == 20);
    CHECK(sizeof(int[once()]) == 4 * sizeof(int) && evaluated == 1);
    n = 2;
    CHECK(sizeof m == 9 * sizeof(int));
    return DONE;
}

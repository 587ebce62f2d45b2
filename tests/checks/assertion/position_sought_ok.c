// Where a seek has led is known to the stream: telling it cannot fail.
// run: no
#include <assert.h>
#include <stdio.h>
int main(void) {
    FILE *f = fopen("a", "r");
    if (f == NULL) return 1;
    if (fseeko(f, 0, SEEK_END) == 0) {
        long size = ftello(f);
        assert(size >= 0); //~ unknown[assertion]
    }
    fclose(f);
    return 0;
}

#include <stdio.h>

// diff: says changed
void says(int x) {
    if (x > 3)
        printf("large: %d.\n", x);
}

// diff: silent changed
void silent(int n, double x) {
    if (n < 0)
        puts("bad");
}

// diff: to_where changed
void to_where(void) {
    fprintf(stderr, "lost\n");
}

/* What is kept back belongs to the stream. */
// diff: rest_of_line changed
void rest_of_line(int x) {
    printf("%d", x);
}

/* No run may say that these differ. */

// diff: in_pieces unknown
void in_pieces(int x) {
    printf("%d!\n", x);
}

// diff: pointer unknown
void pointer(int *p) {
    printf("%p\n", (void *)(p + 0 * 1));
    if (p == 0)
        printf("%s", "");
}

#include <stdio.h>

void says(int x) {
    if (x > 3)
        printf("large: %d\n", x);
}

void silent(int n, double x) {
    if (n < 0 || x <= 0.0)
        puts("bad");
}

void to_where(void) {
    fprintf(stdout, "lost\n");
}

/* What is kept back belongs to the stream. */
void rest_of_line(int x) {
    printf("%d", x);
    fflush(stdout);
}

/* No run may say that these differ. */

void in_pieces(int x) {
    printf("%d", x);
    printf("!\n");
}

void pointer(int *p) {
    printf("%p\n", (void *)p);
}

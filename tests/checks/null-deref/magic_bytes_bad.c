// The bytes that a file begins with are compared late in a run, behind much else that is compared.
// run: no
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
static int sections(FILE *f) {
    int a = fgetc(f);
    if (a != 0xff || fgetc(f) != 0xd8) return 0;
    for (;;) {
        int marker = 0, prev = 0;
        for (a = 0;; a++) {
            marker = fgetc(f);
            if (marker != 0xff && prev == 0xff) break;
            if (marker == EOF) exit(3);
            prev = marker;
        }
        int high = fgetc(f), low = fgetc(f);
        if (high == EOF || low == EOF || (high << 8 | low) < 2) exit(4);
        char *p = NULL;
        *p = 1; //~ violated[null-deref]
        if (marker == 0xda) return 1;
    }
}
static void file(const char *name) {
    struct stat st;
    if (stat(name, &st) < 0) exit(1);
    if (st.st_size < 10) return;
    FILE *f = fopen(name, "rb");
    if (!f) {
        fprintf(stderr, "no\n");
        return;
    }
    if (!sections(f)) printf("no sections\n");
    fclose(f);
}
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) file(argv[i]);
    return 0;
}

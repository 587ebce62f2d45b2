// Bytes that nobody set leave the program.
#include <stdio.h>
struct record { char tag; int value; };
int main(void) {
    struct record r;
    r.tag = 'x';
    r.value = 3;
    fwrite(&r, sizeof r, 1, stdout); //~ violated[uninit-read]
    return 0;
}

// The one `return` of main stands on another line than the end of its body, where its variables end.
// run: no
#include <stdlib.h>
int main(int argc, char **argv) {
    char *rows[8];
    for (int i = 0; i < 8; i++)
        if ((rows[i] = malloc(10)) == NULL) exit(1);
    if (argc > 3) exit(2);
    return 0;
}

// A temporary file: written, sought, read back line by line, unlinked.
#include "check.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    FILE *f = tmpfile();
    if (!f) return 0;
    fprintf(f, "first %d\nsecond\nthird", 1);
    rewind(f);
    char line[32];
    CHECK(fgets(line, sizeof line, f) && !strcmp(line, "first 1\n"));
    CHECK(fgetc(f) == 's' && ungetc('S', f) == 'S' && fgetc(f) == 'S');
    CHECK(ftell(f) == 9);
    CHECK(fgets(line, sizeof line, f) && !strcmp(line, "econd\n"));
    CHECK(fgets(line, sizeof line, f) && !strcmp(line, "third") && !fgets(line, sizeof line, f) && feof(f));
    CHECK(!fseek(f, -5, SEEK_END) && fread(line, 1, 3, f) == 3 && !memcmp(line, "thi", 3) && !ferror(f));
    CHECK(fclose(f) == 0);
    return DONE;
}

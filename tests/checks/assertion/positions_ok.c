// What was read ahead lies before the place in the file; a file has a type; a name may have 14 characters.
// run: no
#include <assert.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    struct stat st;
    if (stat("a", &st) == 0)
        assert(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) || S_ISLNK(st.st_mode) || S_ISCHR(st.st_mode) ||
               S_ISBLK(st.st_mode) || S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
    FILE *f = fopen("a", "r");
    if (f == NULL) return 1;
    if (getc(f) != EOF) {
        long at = ftell(f);
        assert(at == -1 || at > 0);
    }
    fclose(f);
    long n = pathconf(".", _PC_NAME_MAX);
    assert(n < 0 || n >= 14);
    return 0;
}

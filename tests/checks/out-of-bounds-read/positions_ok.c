// A file is where it was moved to, and goes on by what is read and written. FIXME: formulas know of the first only.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char table[8];

static int moved(int f)
{
    off_t at = lseek(f, 3, SEEK_SET);
    return at < 0 ? 0 : table[at];
}

static int went_on(int f)
{
    char b[4];
    off_t before = lseek(f, 0, SEEK_CUR);
    ssize_t n = read(f, b, sizeof b);
    off_t after = lseek(f, 0, SEEK_CUR);
    return before < 0 || n < 0 || after < 0 ? 0 : table[after - before];
}

static int streamed(void)
{
    FILE *s = fopen("/etc/services", "r");
    if (s == NULL)
        return 0;
    long at = -1;
    if (fseek(s, 5, SEEK_SET) == 0 && getc(s) != EOF)
        at = ftell(s);
    fclose(s);
    return at < 0 ? 0 : table[at];
}

int main(void)
{
    int f = open("/etc/hosts", O_RDONLY);
    if (f < 0)
        return 0;
    int r = moved(f) + went_on(f) + streamed();
    close(f);
    return r;
}

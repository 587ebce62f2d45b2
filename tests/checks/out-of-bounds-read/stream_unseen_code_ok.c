// Code that nobody has seen may use a stream, but only through the library: what that keeps in it stays a stream's. The
// stream may be at its end, or unreadable; the variables beside it may be anything.
#include <dirent.h>
#include <stdio.h>

struct source {
    FILE *file;
    DIR *folder;
    int line;
};

void unseen(struct source *s);

int use(void)
{
    struct source s = {fopen("text", "r"), opendir("."), 1};
    FILE *file = s.file;
    DIR *folder = s.folder;
    unseen(&s);
    int seen = 0;
    if (file != NULL) {
        seen = getc(file) == 'x';
        fclose(file);
    }
    if (folder != NULL) {
        seen += readdir(folder) != NULL;
        closedir(folder);
    }
    fputs("done\n", stdout);
    return seen + 10 / s.line; //~ latent[div-by-zero]
}

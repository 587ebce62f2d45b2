// Entries of a table of file systems: any, but never without a name.
// run: no
#include <mntent.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    FILE *f = setmntent("/etc/mtab", "r");
    if (f == NULL)
        return 1;
    struct mntent *m;
    int all = 0;
    while ((m = getmntent(f)) != NULL) {
        all += 100 / m->mnt_freq; //~ violated[div-by-zero]
        all += hasmntopt(m, "ro") != NULL;
        all += 100 % (int)(strlen(m->mnt_fsname) + 1);
        if (m->mnt_fsname[0] == '#')
            all += 1 / (all - all);
    }
    endmntent(f);
    return all;
}

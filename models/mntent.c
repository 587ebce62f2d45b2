/* <mntent.h>: mounted file systems. The file is opened and closed like any other; of what it says only a character is read for
 * each entry: an entry is any. As in the C library it lies in memory that the next one writes again, the texts beside each other
 * in a line of so many characters, and the first one is no comment and not empty. addmntent is not modelled. */
#include "stdio_internal.h"
#include <mntent.h>

enum { LINE = 4096 };

FILE *setmntent(const char *path, const char *mode)
{
    return __verify_lib_open_stream(path, mode);
}

int endmntent(FILE *f)
{
    extern int fclose(FILE *);
    if (f != NULL)
        fclose(f);
    return 1;
}

/* A text that is not there is the empty one. */
static char *text_in(char **at, int *left)
{
    if (*left <= 0)
        return (char *)"";
    char *here = *at;
    int n = (int)vm_text(here, (size_t)*left - 1, "getmntent");
    *at += n;
    *left -= n;
    return here;
}

static struct mntent *entry_in(FILE *f, struct mntent *out, char *at, int left)
{
    __verify_analysis_only("getmntent");
    if (stream_get_byte(stream_of(f)) == EOF || left < 2)
        return NULL;
    out->mnt_fsname = at;
    char c = (char)__verify_nondet_u64("getmntent");
    *at++ = c == 0 || c == '#' ? '/' : c;
    left--;
    (void)text_in(&at, &left);
    out->mnt_dir = text_in(&at, &left);
    out->mnt_type = text_in(&at, &left);
    out->mnt_opts = text_in(&at, &left);
    out->mnt_freq = (int)__verify_nondet_u64("getmntent");
    out->mnt_passno = (int)__verify_nondet_u64("getmntent");
    return out;
}

struct mntent *getmntent(FILE *f)
{
    static struct mntent entry;
    static char line[LINE];
    return entry_in(f, &entry, line, LINE);
}

struct mntent *getmntent_r(FILE *f, struct mntent *out, char *line, int size)
{
    return entry_in(f, out, line, size);
}

/* An option of the list, up to its value or its end. */
char *hasmntopt(const struct mntent *entry, const char *option)
{
    size_t n = vm_strlen(option);
    for (char *at = entry->mnt_opts;; at++) {
        if (vm_strncmp(at, option, n) == 0 && (at[n] == 0 || at[n] == '=' || at[n] == ','))
            return at;
        while (*at != 0 && *at != ',')
            at++;
        if (*at == 0)
            return NULL;
    }
}

// There may be no such user, or no such group.
// run: no
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

int main(void)
{
    struct group *g = getgrgid(getgid());
    if (g != NULL && g->gr_mem[0] != NULL && g->gr_mem[0][0] == 'x')
        return 1;
    struct passwd *p = getpwuid(getuid());
    return p->pw_name[0]; //~ violated[null-deref]
}

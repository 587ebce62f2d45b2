// The environment may be empty, but it is there.
// run: no
#include <string.h>
extern char **environ;
static int settings(void)
{
    int n = 0;
    for (char **p = environ; *p; p++)
        n += strncmp(*p, "MY_", 3) == 0;
    return n;
}
int main(void) { return settings() > 3; }

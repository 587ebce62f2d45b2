// An assignment sets the member and no more; an initialiser with a value of the run is one, as clang compiles it.
#include <stdlib.h>

union number {
    char small;
    int large;
};

int main(int argc, char **argv)
{
    (void)argv;
    union number n;
    n.small = (char)argc;
    if (n.large > 5) //~ violated[uninit-read]
        return 1;
    return 0;
}

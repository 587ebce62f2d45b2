// The names and texts that a program is started with are defined, and so is what their parts are made into.
#include <stdlib.h>

int main(int argc, char **argv)
{
    int level = 0;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') //~ proved[uninit-read]
            level++;
        if (argv[i][0] != 0 && argv[i][1] == 'x') //~ proved[uninit-read]
            level += 2;
    }
    if (level > 2) //~ proved[uninit-read]
        return 2;
    return 0;
}

// argc, argv, the terminating null pointer, and writing into the arguments.
// args: alpha beta=2 --gamma
// expect: exit 4
#include <string.h>
int main(int argc, char **argv) {
    if (argv[argc] || strcmp(argv[1], "alpha") || strcmp(argv[3], "--gamma")) return 1;
    argv[2][0] = 'B';
    if (strcmp(argv[2], "Beta=2")) return 2;
    return argc;
}

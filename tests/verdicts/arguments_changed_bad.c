// verdict: FALSE(unreach-call)
// They may be written to, and one may be reached by several ways.
extern void reach_error(void);

int main(int argc, char **argv)
{
    if (argc != 2 || !argv[1][0])
        return 0;
    argv[1][0] = 'x';
    char *last = argv[argc - 1];
    last[0] = 'y';
    if (argv[1][0] == 'y')
        reach_error(); //~ violated
    return 0;
}

// verdict: FALSE(unreach-call)
// The execution that fails has this very argument.
extern void reach_error(void);

int main(int argc, char **argv)
{
    if (argc == 3 && argv[2][0] == 'n' && argv[2][1] == 'o' && !argv[2][2])
        reach_error(); //~ violated
    return 0;
}

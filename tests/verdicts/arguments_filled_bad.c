// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// What the program has written says nothing of where the string ends.
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        argv[argc - 1][0] = '-';
        if (argv[i][0] == '-' && argv[i][1] == 'v')
            return 1;
    }
    return 0;
}

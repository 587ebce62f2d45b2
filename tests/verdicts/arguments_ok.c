// verdict: TRUE
// check: --property valid-memsafety
// There are as many arguments as it says, each a string; a null pointer comes after them.
int main(int argc, char **argv)
{
    int options = 0;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-')
            options++;
    return options > 3;
}

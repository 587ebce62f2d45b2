// verdict: TRUE
// check: --property valid-memsafety
// A string does not end at a character that is not zero.
int main(int argc, char **argv)
{
    int flags = 0;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-' && argv[i][1] == 'v')
            flags++;
    return flags > 2;
}

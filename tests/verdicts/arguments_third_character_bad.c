// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// The second character may be the end.
int main(int argc, char **argv)
{
    int flags = 0;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-' && argv[i][2] == 'v')
            flags++;
    return flags > 2;
}

// verdict: UNKNOWN(abstraction: may fail for all that is known)
// check: --property valid-memsafety
// FIXME: where a string ends is known only of the first ones, and only where the index is constant.
int main(int argc, char **argv)
{
    int flags = 0;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-' && argv[i][1] == 'v')
            flags++;
    return flags > 2;
}

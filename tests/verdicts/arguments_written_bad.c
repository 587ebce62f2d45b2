// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// The zero may be written over, and then the string has no end.
int main(int argc, char **argv)
{
    if (argc < 2)
        return 0;
    char *p = argv[1];
    while (*p)
        p++;
    *p = '.';
    for (p = argv[1]; *p; p++) //~ violated[out-of-bounds-read]
        ;
    return 0;
}

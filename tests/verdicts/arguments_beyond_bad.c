// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
int main(int argc, char **argv)
{
    if (argc < 3)
        return 0;
    return argv[2][3] == 'x'; //~ violated[out-of-bounds-read]
}

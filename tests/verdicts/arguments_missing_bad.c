// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// Without arguments that is the null pointer.
int main(int argc, char **argv)
{
    return argv[1][0]; //~ violated[null-deref]
}

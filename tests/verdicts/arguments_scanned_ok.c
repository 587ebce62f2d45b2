// verdict: TRUE
// check: --property valid-memsafety
// slow
// Each string is gone through to its end.
int main(int argc, char **argv)
{
    unsigned n = 0;
    for (int i = 1; i < argc; i++)
        for (char *p = argv[i]; *p; p++)
            if (*p == ',')
                n++;
    return n > 2;
}

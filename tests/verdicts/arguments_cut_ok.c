// verdict: TRUE
// Where an argument is replaced the others stay.
extern void reach_error(void);

int main(int argc, char **argv)
{
    if (argc < 4)
        return 0;
    char *second = argv[2];
    argv[1] = "replaced";
    argv[3] = argv[1];
    if (argv[2] != second || argv[1][0] != 'r' || argv[3] != argv[1])
        reach_error();
    return 0;
}

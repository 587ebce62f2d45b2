// verdict: TRUE
extern void reach_error(void);

int main(int argc, char **argv)
{
    if (argv[argc] || !argv[0])
        reach_error();
    if (argc > 7 && !argv[7])
        reach_error();
    return 0;
}

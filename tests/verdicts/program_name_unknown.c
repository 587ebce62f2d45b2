// verdict: UNKNOWN(unmodelled: `program_invocation_name` means something that is not known here)
// check: --property unreach-call
// The name of the program is what the caller says.
extern void reach_error(void);
extern char *program_invocation_name;
static char **const name = &program_invocation_name;
int main(void)
{
    if ((*name)[0] != 'p')
        reach_error();
    return 0;
}

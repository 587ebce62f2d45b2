// verdict: UNKNOWN(unmodelled: a write to a constant that is defined elsewhere at extern_constant_unknown.c:7)
// check: --property valid-deref --timeout 20
// Whether memory is read-only, its definition decides, and that is elsewhere.
extern int *const where;
int main(void)
{
    *(int **)&where = 0;
    return 0;
}

// verdict: UNKNOWN(unmodelled: an access to a variable of unknown size, which is defined elsewhere at extern_size_unknown.c:7)
// check: --property valid-deref --timeout 20
// How large the array is, only its definition says, and that is elsewhere.
extern int table[];
int main(void)
{
    table[1] = 1;
    return table[1];
}

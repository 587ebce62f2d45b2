// verdict: TRUE
// check: --property unreach-call
// Bytes beside padding in an initialiser are known.
extern void reach_error(void);
struct bits { signed int f : 2; };
struct padded { char c; int i; short s; };
int main(void)
{
    struct bits b = {1};
    unsigned g = ++b.f;
    struct padded p = {1, 2, 3}, q = p;
    if (g != 4294967294u || q.c != 1 || q.i != 2 || q.s != 3)
        reach_error();
    return 0;
}

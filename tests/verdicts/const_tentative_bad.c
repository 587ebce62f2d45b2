// verdict: FALSE(valid-deref)
// check: --property valid-deref --timeout 20
// A constant without an initialiser is a constant.
typedef const int number;
number limit[2];
int main(void)
{
    int *p = (int *)&limit[1];
    *p = 42;
    return 0;
}

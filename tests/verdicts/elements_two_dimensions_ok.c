// verdict: TRUE
// slow
// A loop in a loop writes every row of a matrix.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define M 1000
int a[M][M];

int main(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = 5;
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0 || x >= M || y < 0 || y >= M)
        return 0;
    if (a[x][y] != 5)
        reach_error();
    return 0;
}

// What a program is started with is no input of one that does not look at it; long double arguments are aligned.
// check: --property valid-memsafety
// verdict: TRUE
#include <stdio.h>
#include <stdlib.h>

static int sum(const int *numbers, int n)
{
    return n == 0 ? 0 : numbers[0] + sum(numbers + 1, n - 1);
}

int main(int argc, char *argv[])
{
    int *numbers = malloc(50 * sizeof *numbers);
    for (int i = 0; i < 50; i++)
        numbers[i] = i;
    printf("%d of %d, %Lf\n", sum(numbers, 50), 50, (long double)numbers[49]);
    free(numbers);
    return 0;
}

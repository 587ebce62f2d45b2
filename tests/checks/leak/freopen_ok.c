// A failing freopen has closed the stream: there is nothing left that the program could free.
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("a", "r");
    if (f == NULL)
        return 1;
    f = freopen("a", "rb", f);
    if (f == NULL)
        return 2;
    fclose(f);
    return 0;
}

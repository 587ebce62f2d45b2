/* A local variable begins undefined again in each round. */
struct pair { int a, b; };
static struct pair *shown;
static int look(void)
{
    return shown->b ? 1 : 0; //~ violated[uninit-read]
}
int main(void)
{
    int seen = 0;
    for (int i = 0; i < 2; i++) {
        struct pair p;
        p.a = i;
        shown = &p;
        if (i == 0)
            p.b = 1;
        seen += look();
    }
    return seen;
}

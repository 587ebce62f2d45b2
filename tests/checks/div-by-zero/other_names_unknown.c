// What is linked with this may bring another `hook` and another `width`, and it names what is static here.
static int one(void)
{
    return 1;
}
int hook(void) __attribute__((weak, alias("one")));
static int four = 4;
extern int width __attribute__((weak, alias("four")));
static int hidden_state = 1;
extern int state __attribute__((alias("hidden_state")));
static int fixed = 1;

int by_hook(void)
{
    return 10 / hook(); //~ unknown[div-by-zero]
}
int by_width(void)
{
    return 10 / width; //~ unknown[div-by-zero]
}
int by_state(void)
{
    return 10 / hidden_state; //~ unknown[div-by-zero]
}
int by_fixed(void)
{
    return 10 / fixed; //~ proved[div-by-zero]
}
int (*const table[])(void) = {hook};
int by_table(void)
{
    return 10 / table[0](); //~ unknown[div-by-zero]
}
static int (*const own_table[])(void) = {one};
int by_own_table(void)
{
    return 10 / own_table[0](); //~ proved[div-by-zero]
}
static void set(int *p)
{
    *p = 1;
}
int by_pointer(void)
{
    four = 4;
    set(&width);
    return 10 / (four - 1); //~ latent[div-by-zero]
}
static int inner(int divisor)
{
    return 10 / divisor; //~ latent[div-by-zero]
}
int outer(int divisor) __attribute__((alias("inner")));
int calls_inner(void)
{
    return inner(2);
}

// What is linked with this may bring another `hook`, and set what is hidden from programs only.
__attribute__((weak)) int hook(void)
{
    return 1;
}
__attribute__((visibility("hidden"))) int divisor = 1;
int by_hook(void)
{
    return 10 / hook(); //~ unknown[div-by-zero]
}
int by_hidden(void)
{
    return 10 / divisor; //~ unknown[div-by-zero]
}

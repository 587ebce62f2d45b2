/* Two arguments lead to one place. */
struct stream { int *data; unsigned at; };
static int take(struct stream *from, struct stream *to)
{
    to->data = 0;
    return from->data[from->at]; //~ violated[null-deref]
}
int main(void)
{
    int numbers[4] = {1, 2, 3, 4};
    struct stream s = {numbers, 0};
    return take(&s, &s);
}

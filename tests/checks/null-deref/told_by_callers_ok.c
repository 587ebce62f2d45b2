/* What every caller knows of the fields of what it hands over is known in the function, and what the function leaves
 * there is known behind the call. */
struct stream { int *data; unsigned at; };
static void start(struct stream *s, int *data)
{
    s->data = data;
    s->at = 0;
}
static int next(struct stream *s)
{
    s->at = (s->at + 1) & 3; //~ proved
    return s->data[s->at]; //~ proved
}
int main(int argc, char **argv)
{
    int numbers[4] = {1, 2, 3, 4}, others[8] = {5};
    struct stream a, b;
    (void)argv;
    start(&a, numbers);
    start(&b, others);
    int sum = 0;
    for (int i = 0; i < argc; i++)
        sum ^= next(&a) ^ next(&b);
    return sum & a.data[0] & 1; //~ proved
}

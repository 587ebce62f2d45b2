// A structure is passed in pieces, an empty one not at all: the second parameter is not the second of the function in C.
struct empty {};
struct big {
    int a[10];
};
struct pair {
    long a;
    char *b;
};
char last(struct pair s, struct big *p, struct empty x)
{
    if (!s.b)
        return 0;
    return ((struct big *)s.b)->a[9]; //~ unknown[out-of-bounds-read]
}

// A structure that is passed on the stack is no number and no pointer, nor one of another size.
// args: 4
struct big {
    long a, b, c;
};

struct bigger {
    long a, b, c, d;
};

static int takes_big(struct big s) { return (int)s.a; }

static int takes_pointer(struct big *s) { return s == 0; }

static int with_number(void)
{
    int (*f)(long) = (int (*)(long))takes_big;
    return f(1); //~ violated[invalid-call]
}

static int with_object(void)
{
    struct big s = {1, 2, 3};
    int (*f)(struct big) = (int (*)(struct big))takes_pointer;
    return f(s); //~ violated[invalid-call]
}

static int with_pointer(void)
{
    struct big s = {1, 2, 3};
    int (*f)(struct big *) = (int (*)(struct big *))takes_big;
    return f(&s); //~ violated[invalid-call]
}

static int with_more(void)
{
    struct bigger s = {1, 2, 3, 4};
    int (*f)(struct bigger) = (int (*)(struct bigger))takes_big;
    return f(s); //~ violated[invalid-call]
}

static int as_declared(void)
{
    struct big s = {1, 2, 3};
    int (*f)(struct big) = takes_big;
    return f(s); //~ proved
}

int main(int argc, char **argv)
{
    switch (argc) {
    case 2: return with_number();
    case 3: return with_object();
    case 4: return with_pointer();
    case 5: return with_more();
    default: return as_declared() + takes_pointer(0);
    }
}

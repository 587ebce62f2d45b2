// Functions that no caller can name, and whose addresses stay in the program, are nothing that a caller passes.
struct line { char *text; int from; };

static int is_definition(struct line *l)
{
    return l->text[l->from] == ':';
}

static int is_term(struct line *l)
{
    return l->text[l->from] == '=';
}

int find(struct line *l, int flag)
{
    int (*is)(struct line *) = flag ? is_definition : is_term;
    return l && l->text && l->from == 0 && is(l);
}

int populate(int (*get)(void *), void *context)
{
    return get && context ? get(context) : 0;
}

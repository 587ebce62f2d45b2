// A number where the function takes a structure from the stack: nothing is known of what it finds there.
// check: --property valid-memsafety --property no-overflow
// verdict: UNKNOWN(an execution ends before, by invalid-call in line 16)
struct big {
    long a, b, c;
};

static int takes(struct big s)
{
    return s.a > 0;
}

int main(void)
{
    int (*f)(long) = (int (*)(long))takes;
    return f(1);
}

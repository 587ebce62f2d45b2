int writes(unsigned a) {
    int z = 0, *p = &z;
    {
        int y = a;
        y++;
    }
    if (a * a * 7u + a == 0x37ab1232u)
        *p = 3;
    return a;
}
int reads(unsigned a) {
    int z = 0, r = 0, *p = &z;
    {
        int y = a;
        y++;
    }
    if (a * a * 7u + a == 0x37ab1232u)
        r = *p;
    return a;
}
int again(int n) {
    int s = 0, *p = 0;
    for (int i = 0; i < n; i++) {
        int y = i;
        p = &y;
        s += *p;
    }
    return s;
}
int last_round(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        int y = i;
        s += y;
    }
    return s;
}
static int *own(int a) {
    static int kept;
    kept = a;
    return &kept;
}
int of_callee(int a) {
    int *p = own(a);
    if (a == 7654321)
        *p = 1;
    return a;
}
int moved_in(int a) {
    int y = a + 1;
    return y;
}

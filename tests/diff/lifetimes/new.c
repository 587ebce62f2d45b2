// Objects are dead behind their block: touching them then is an error, even where nothing comes of it.
// diff: writes not-equal
// diff: reads not-equal
// diff: again equal
// diff: last_round not-equal
// diff: of_callee not-equal
// diff: moved_in equal
int writes(unsigned a) {
    int *p;
    {
        int y = a;
        p = &y;
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
        p = &y;
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
        s = *p + s;
    }
    return s;
}
int last_round(int n) {
    int s = 0, *p = 0;
    for (int i = 0; i < n; i++) {
        if (p && n == 91234567)
            *p = 5;
        int y = i;
        p = &y;
        s += i;
    }
    return s;
}
static int *own(int a) {
    int kept = a;
    int *p = &kept;
    return p;
}
int of_callee(int a) {
    int *p = own(a);
    if (a == 7654321)
        *p = 1;
    return a;
}
int moved_in(int a) {
    int r;
    {
        int y = a;
        y++;
        r = y;
    }
    return r;
}

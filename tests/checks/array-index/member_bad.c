// Past the end of an array inside a struct: the next member is hit, no memory error anywhere else.
struct user { char name[8]; int admin; };
static void set(struct user *u, const char *s) {
    for (int i = 0; s[i]; i++)
        u->name[i] = s[i]; //~ violated[array-index]
}
int main(void) {
    struct user u = {{0}, 0};
    set(&u, "short");
    set(&u, "too long\1");
    return u.admin;
}

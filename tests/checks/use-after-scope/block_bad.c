// The block is over, its variable with it.
int main(void) {
    int *p;
    {
        int x = 3;
        p = &x;
    }
    return *p; //~ violated[use-after-scope]
}

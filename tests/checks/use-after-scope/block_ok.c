// Used inside, or declared outside.
int main(void) {
    int y, *p = &y;
    {
        int x = 3;
        p = &x;
        y = *p;
        p = &y;
    }
    return *p != 3;
}

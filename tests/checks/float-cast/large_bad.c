// A double that no int can hold.
static int whole(double d) {
    return (int)d; //~ violated[float-cast]
}
int main(void) { return whole(2e9) + whole(3e9); }

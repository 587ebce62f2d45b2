// Setting one bit-field reads its neighbours' bits, but nothing depends on them.
struct bits { unsigned a : 3, b : 3; signed c : 9; };
int main(void) {
    struct bits x;
    x.b = 2;
    x.c = -4;
    x.a = 7;
    x.a++;
    return x.a != 0 || x.b != 2 || x.c != -4;
}

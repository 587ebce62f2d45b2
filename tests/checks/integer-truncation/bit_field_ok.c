// What fits a bit-field, and what is cast to fit.
// scan: --check integer-truncation
struct flags {
    unsigned mode : 3;
    int level : 4;
};
int main(int argc, char **argv) {
    struct flags f = {0, 0};
    f.mode = argc & 7;
    f.level = argc % 8;
    f.level = -8;
    return f.mode + f.level > 100;
}

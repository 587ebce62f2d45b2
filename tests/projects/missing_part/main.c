int run(void);

int parts = 1;

int per_part(int sum) {
    return sum / parts; //~ unknown
}

__attribute__((visibility("hidden"))) int reciprocal(int x) {
    return 10 / x; //~ latent[div-by-zero]
}

static int share(int x) {
    return 100 / (x + 1); //~ proved
}

int main(void) {
    return run() / share(10); //~ proved[div-by-zero]
}

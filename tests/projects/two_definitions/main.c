int rate_of_library(void);

int rate(void) {
    return 2;
}

int main(void) {
    return 10 / (rate_of_library() - 1); //~ latent[div-by-zero]
}

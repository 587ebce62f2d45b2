int rate(void) {
    return 1;
}

int rate_of_library(void) {
    return rate();
}

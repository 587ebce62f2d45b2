static int used;

int next(int n) {
    if (used < 100)
        used++; //~ proved
    return n > 0 ? used / n : 0; //~ proved[div-by-zero]
}

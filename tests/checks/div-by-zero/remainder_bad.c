// A table of size zero.
static unsigned slot(unsigned hash, unsigned size) {
    return hash % size; //~ violated[div-by-zero]
}
int main(void) { return (int)(slot(7, 4) + slot(7, 0)); }

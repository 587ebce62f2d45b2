// Two unsigned shorts are multiplied as int.
static unsigned product(unsigned short a, unsigned short b) {
    return a * b; //~ violated[signed-overflow]
}
int main(void) { return product(3, 4) == product(65535, 65535); }

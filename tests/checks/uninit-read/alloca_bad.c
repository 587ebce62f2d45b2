// Memory of alloca, through a pointer.
#include <alloca.h>
static int first(const int *p) { return *p > 0 ? 1 : 0; } //~ violated[uninit-read]
int main(void) { return first(alloca(4 * sizeof(int))); }

// With NDEBUG there is no assertion.
// flags: -DNDEBUG
#include <assert.h>
int main(void) {
    int n = 3;
    assert(n == 4);
    return n != 3;
}

// A precondition that callers may break.
#include <assert.h>
int half(int n) {
    assert(n % 2 == 0); //~ latent[assertion]
    return n / 2;
}

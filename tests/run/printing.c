// printf: conversions, flags, width, precision, lengths, floats, %n not used, * width, snprintf truncation.
// expect-out: [   42] [42   ] [00042] [+42] [ 42] [-42]
// expect-out: [ff] [FF] [0xff] [0377] [4294967295] [18446744073709551615]
// expect-out: [abc] [  abc] [ab] [a    ] [%] [(null)]
// expect-out: [3.141593] [3.14] [  3.1] [3.141590e+00] [3.14159] [1e+20] [0.0001] [inf] [-nan]
// expect-out: [-128] [255] [-1] [123456789012] [12] [7]
// expect-out: [0x1.8p+1] [+1.50] [1.] [-0.0]
// expect-out: abcd 9
// expect-out: xy
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%d]\n", 42, 42, 42, 42, 42, -42);
    printf("[%x] [%X] [%#x] [%#o] [%u] [%lu]\n", 255, 255, 255, 255, -1, -1l);
    printf("[%s] [%5s] [%.2s] [%-*c] [%%] [%s]\n", "abc", "abc", "abc", 5, 'a', (char *)0);
    printf("[%f] [%.2f] [%5.1f] [%e] [%g] [%g] [%g] [%f] [%f]\n", 3.141593, 3.14159, 3.14159, 3.14159, 3.14159, 1e20, 1e-4,
           (double)INFINITY, -(double)NAN);
    printf("[%hhd] [%hhu] [%hd] [%lld] [%zu] [%td]\n", 128, 255, 65535, 123456789012ll, (size_t)12, (ptrdiff_t)7);
    printf("[%a] [%+.2f] [%#.0f] [%.1f]\n", 3.0, 1.5, 1.0, -0.0);
    char b[5];
    int n = snprintf(b, sizeof b, "abcdefghi");
    printf("%s %d\n", b, n);
    putchar('x');
    fputs("y", stdout);
    fwrite("\n", 1, 1, stdout);
    return 0;
}

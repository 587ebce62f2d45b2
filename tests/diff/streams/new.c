// Ways to write a character, and what is left of it in a buffer that was written out: nobody sees a difference.
// diff: one unknown
// diff: to_error unknown
// diff: two_lines unknown
// diff: near changed
#include <stdio.h>
void one(int c) { printf("%c", c); }
void to_error(int c) { fprintf(stderr, "%c", c); }
void two_lines(void) { printf("ab\nc\n"); }
void near(void) { printf("b"); }

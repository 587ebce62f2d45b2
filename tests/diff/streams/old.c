#include <stdio.h>
void one(int c) { putchar(c); }
void to_error(int c) { fputc(c, stderr); }
void two_lines(void) { puts("ab"); puts("c"); }
void near(void) { putchar('a'); }

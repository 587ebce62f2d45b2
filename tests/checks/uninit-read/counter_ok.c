// A number that goes through many values before its bounds are given up is as defined as it was.
#include <stdio.h>

static int lines;
static struct {
    unsigned words;
    long bytes;
} total;

static int count(int depth, int step)
{
    if (depth > 20 && step > 3) //~ proved[uninit-read]
        return depth;
    return getchar() == '(' ? count(depth + 1, step + depth) : step;
}

int main(void)
{
    for (int c; (c = getchar()) != EOF;) {
        if (c == '\n') {
            lines++;
            if (lines == 3) //~ proved[uninit-read]
                lines += 2;
        }
        total.words += 3;
        total.bytes++;
    }
    if (total.words > 7) //~ proved[uninit-read]
        return 1;
    if (total.bytes > 100) //~ proved[uninit-read]
        return count(0, 1);
    return lines;
}

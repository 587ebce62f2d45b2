// A program without input that prints has one execution, as far as it can tell: whether the system takes what it prints, it does not ask.
// check: --property unreach-call --property no-overflow --property valid-memsafety --property termination
// verdict: TRUE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
struct word { struct word *next; int length; char text[12]; };

int main(void)
{
    struct word *all = 0;
    for (int i = 0; i < 40; i++) {
        struct word *w = malloc(sizeof *w);
        snprintf(w->text, sizeof w->text, "word:%d", i * i);
        w->length = (int)(strchr(w->text, ':') - w->text);
        w->next = all;
        all = w;
    }
    int sum = 0;
    for (struct word *w = all; w; w = w->next) {
        printf("%-12s %5.2f\n", w->text, w->length / 2.0);
        sum += w->length;
    }
    if (sum != 160)
        reach_error();
    while (all) {
        struct word *next = all->next;
        free(all);
        all = next;
    }
    return 0;
}

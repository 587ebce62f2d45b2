/* A report is made only when it is asked for; the level is read from the record (context). */
#include "verify-pattern.h"

struct verify_type_log {
    int level;
};
void report(int, const char *);

VERIFY_OLD(counted, struct verify_type_log *l, const char *s) {
    int n = l->level;
    report(n, s);
}

VERIFY_NEW(counted, struct verify_type_log *l, const char *s) {
    int n = l->level;
    if (n > 2)
        report(n, s);
}

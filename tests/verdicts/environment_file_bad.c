// check: --property unreach-call
// verdict: FALSE(unreach-call)
#include <sys/stat.h>
extern void reach_error(void);
int main(void) {
    struct stat st;
    if (stat("file", &st) == 0 && st.st_size == 123456789)
        reach_error();
    return 0;
}

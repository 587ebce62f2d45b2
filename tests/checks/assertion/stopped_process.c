// A process that stops itself goes on when somebody continues it, with the handler for that.
// run: no
#include <assert.h>
#include <signal.h>
static volatile sig_atomic_t continued;
static void on_continue(int number) { continued = 1; }
int main(int argc, char **argv) {
    if (argc > 1)
        signal(SIGCONT, on_continue);
    raise(SIGSTOP);
    assert(!continued);  //~ violated[assertion]
    assert(argc != 1);   //~ violated[assertion]
    return 0;
}

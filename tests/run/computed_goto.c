// Labels as values: a threaded interpreter, label differences, a table in static storage.
#include "check.h"
static int interpret(const unsigned char *code) {
    static const void *const table[] = {&&op_push, &&op_add, &&op_mul, &&op_dup, &&op_halt};
    int stack[8], sp = 0;
#define NEXT goto *table[*code++]
    NEXT;
op_push: stack[sp++] = *code++; NEXT;
op_add: sp--; stack[sp - 1] += stack[sp]; NEXT;
op_mul: sp--; stack[sp - 1] *= stack[sp]; NEXT;
op_dup: stack[sp] = stack[sp - 1]; sp++; NEXT;
op_halt: return stack[sp - 1];
}
static int by_variable(int n) {
    void *where = n ? &&yes : &&no;
    goto *where;
yes: return 1;
no: return 2;
}
int main(void) {
    const unsigned char program[] = {0, 3, 0, 4, 1, 3, 2, 4}; /* (3 + 4) squared */
    CHECK(interpret(program) == 49);
    CHECK(by_variable(5) == 1);
    CHECK(by_variable(0) == 2);
    return DONE;
}

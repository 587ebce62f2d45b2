// The refactorings that the list of Garrido and Johnson has, each with one that is a bit away from it.
#include <stdio.h>

enum colour { RED, GREEN, BLUE };
#define LIMIT 40
struct item { int weight; int price; };
struct box { struct item first; int count; };
int total;
int out(int);

int consolidate(int x) {
    switch (x) {
    case 1: return 5;
    case 2: return 5;
    case 3: return 6;
    }
    return 0;
}
int consolidate_near(int x) {
    switch (x) {
    case 1: return 5;
    case 2: return 6;
    }
    return 0;
}

int for_into_while(int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s ^= i;
    return s;
}
int while_into_for(int n) {
    int s = 0, i = 0;
    while (i < n) {
        s ^= i;
        i++;
    }
    return s;
}
int while_into_for_near(int n) {
    int s = 0, i = 0;
    while (i < n) {
        s ^= i;
        i++;
    }
    return s;
}
int while_into_do(int n) {
    int s = 0;
    if (n > 0) {
        while (n > 0) {
            s ^= n;
            n--;
        }
    }
    return s;
}
int while_into_do_near(int n) {
    int s = 0;
    while (n > 0) {
        s ^= n;
        n--;
    }
    return s;
}

unsigned add_typedef(unsigned x) { return x + 1; }
int replace_type(int x) {
    int small = x & 7;
    return small + 1;
}
int replace_type_near(int x) {
    int small = x & 511;
    return small + 1;
}

static int old_name(int x) { return x * 3; }
int rename_function(int x) { return old_name(x) + 1; }
int rename_variable(int old) { return old ^ LIMIT; }
int rename_constant(int x) { return x < LIMIT; }
int rename_type(struct item *p) { return p->price; }

static int unused(int x) { return x; }
int remove_unused_variable(int x) {
    int dead = x + 0;
    (void)dead;
    return x;
}
static int three(int a, int not_used, int b) { return a ^ b; }
int remove_unused_parameter(int x) { return three(x, 5, x >> 1); }
int remove_unused_function(int x) { return x ? 1 : unused(0); }

int replace_value_with_constant(int x) { return x & 40; }
int replace_value_with_constant_near(int x) { return x & 41; }
int add_variable(int x, int y) { return (x ^ y) & 15; }
int replace_expression(int x, int y) { return (x ^ y) | ((x ^ y) >> 2); }

int add_field(struct box *b) { return b->first.price + b->count; }
int add_field_near(struct box *b) { return b->first.price + b->count; }
int rename_field(struct item *p) { return p->weight; }

int extract_function(int x, int y) {
    int a = x > y ? x : y;
    return a & 255;
}
int extract_function_near(int x, int y) {
    int a = x > y ? x : y;
    return a & 255;
}
static int largest(int x, int y) { return x > y ? x : y; }
int inline_function(int x, int y) { return largest(x, y) & 127; }

static int joined(int a, int b) { return a - b; }
int reorder_parameters(int x, int y) { return joined(x & 7, y & 7); }
int reorder_parameters_near(int x, int y) { return joined(x & 7, y & 7); }
static int scaled(int a) { return a & 0xff; }
int add_parameter(int x) { return scaled(x); }

int inverse(int x) {
    if (x > 3)
        return out(1);
    else
        return out(2);
}
int inverse_near(int x) {
    if (x > 3)
        return out(1);
    else
        return out(2);
}
int contract_scope(int x) {
    int t = x ^ 21;
    if (x > 0)
        return t;
    return 0;
}
int relocate(int x, int y) {
    int a = x & 3;
    int b = y & 3;
    total = b;
    return a;
}
int relocate_branching(int x, int y) {
    int a = 0, b;
    if (x > 2)
        a = x & 15;
    b = y & 3;
    total = b;
    return a;
}
int relocate_two(int x, int y, int z) {
    int a = x & 3, b, c;
    b = y & 7;
    total = 1;
    c = z & 15;
    return a + b + c;
}
int relocate_near(int x, int y) {
    int a = x & 3;
    total = y;
    return a + total;
}

int enum_values(enum colour c) { return c == BLUE; }

int into_pointer(int x) {
    int v = x & 63;
    v |= 64;
    return v;
}
int from_pointer(int x) {
    int v = x;
    int *p = &v;
    *p &= 63;
    return v;
}
int group_variables(int x, int y) {
    int w = x & 7, h = y & 7;
    return w * h;
}
static int global_used(void) { return total & 3; }
int global_into_parameter(void) { return global_used(); }
int associate(int a, int b, int c) { return (a & b) & c; }
int associate_near(int a, int b, int c) { return (a & b) | c; }
unsigned reassociate_sum(unsigned a, unsigned b, unsigned c) { return (a + b) + c; }
void message(int x) {
    if (x)
        fprintf(stderr, "%s:%d\n", "old.c", 7);
}

// diff: consolidate equal
// diff: consolidate_near changed
// diff: for_into_while equal
// diff: while_into_for equal
// diff: while_into_for_near changed
// diff: while_into_do equal
// diff: while_into_do_near changed
// diff: add_typedef equal
// diff: replace_type equal
// diff: replace_type_near changed
// diff: rename_function equal
// diff: rename_variable equal
// diff: rename_constant equal
// diff: rename_type equal
// diff: remove_unused_variable equal
// diff: remove_unused_parameter equal
// diff: remove_unused_function equal
// diff: replace_value_with_constant equal
// diff: replace_value_with_constant_near changed
// diff: add_variable equal
// diff: replace_expression equal
// diff: add_field equal
// diff: add_field_near not-equal
// diff: rename_field equal
// diff: extract_function equal
// diff: extract_function_near changed
// diff: inline_function equal
// diff: reorder_parameters equal
// diff: reorder_parameters_near changed
// diff: add_parameter equal
// diff: inverse equal
// diff: inverse_near changed
// diff: contract_scope equal
// diff: relocate equal
// diff: relocate_branching equal
// diff: relocate_two equal
// diff: relocate_near changed
// diff: enum_values not-equal
// diff: into_pointer equal
// diff: from_pointer equal
// diff: group_variables equal
// diff: global_into_parameter equal
// diff: associate equal
// diff: associate_near changed
// diff: reassociate_sum equal
// diff: message not-equal
// The refactorings that the list of Garrido and Johnson has, each with one that is a bit away from it.
#include <stdio.h>

enum colour { RED, AMBER, GREEN, BLUE };
#define MOST 40
struct thing { int mass; int price; };
#define item thing
struct box { struct item first; int spare; int count; };
int total;
int out(int);

int consolidate(int x) {
    switch (x) {
    case 1:
    case 2: return 5;
    case 3: return 6;
    }
    return 0;
}
int consolidate_near(int x) {
    switch (x) {
    case 1:
    case 2: return 6;
    }
    return 0;
}

int for_into_while(int n) {
    int s = 0, i = 0;
    while (i < n) {
        s ^= i;
        i++;
    }
    return s;
}
int while_into_for(int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s ^= i;
    return s;
}
int while_into_for_near(int n) {
    int s = 0;
    for (int i = 0; i <= n; i++)
        s ^= i;
    return s;
}
int while_into_do(int n) {
    int s = 0;
    if (n > 0) {
        do {
            s ^= n;
            n--;
        } while (n > 0);
    }
    return s;
}
int while_into_do_near(int n) {
    int s = 0;
    do {
        s ^= n;
        n--;
    } while (n > 0);
    return s;
}

typedef unsigned word;
word add_typedef(word x) { return x + 1; }
int replace_type(int x) {
    unsigned char small = x & 7;
    return small + 1;
}
int replace_type_near(int x) {
    unsigned char small = x & 511;
    return small + 1;
}

static int new_name(int x) { return x * 3; }
int rename_function(int x) { return new_name(x) + 1; }
int rename_variable(int fresh) { return fresh ^ MOST; }
int rename_constant(int x) { return x < MOST; }
int rename_type(struct item *p) { return p->price; }

int remove_unused_variable(int x) {
    return x;
}
static int three(int a, int b) { return a ^ b; }
int remove_unused_parameter(int x) { return three(x, x >> 1); }
int remove_unused_function(int x) { return x ? 1 : 0; }

int replace_value_with_constant(int x) { const int mask = 40;
    return x & mask; }
int replace_value_with_constant_near(int x) { const int mask = 40;
    return x & mask; }
int add_variable(int x, int y) {
    int z = x ^ y;
    return z & 15;
}
int replace_expression(int x, int y) {
    int z = x ^ y;
    return z | (z >> 2);
}

int add_field(struct box *b) { return b->first.price + b->count; }
int add_field_near(struct box *b) { return b->first.price + b->spare; }
int rename_field(struct item *p) { return p->mass; }

static int bigger(int x, int y) { return x > y ? x : y; }
static int smaller(int x, int y) { return x > y ? y : x; }
int extract_function(int x, int y) {
    return bigger(x, y) & 255;
}
int extract_function_near(int x, int y) {
    return smaller(x, y) & 255;
}
int inline_function(int x, int y) { return (x > y ? x : y) & 127; }

static int joined(int b, int a) { return a - b; }
int reorder_parameters(int x, int y) { return joined(y & 7, x & 7); }
int reorder_parameters_near(int x, int y) { return joined(x & 7, y & 7); }
static int scaled(int a, int wide) { return wide ? a & 0xffff : a & 0xff; }
int add_parameter(int x) { return scaled(x, 0); }

int inverse(int x) {
    if (!(x > 3))
        return out(2);
    else
        return out(1);
}
int inverse_near(int x) {
    if (x < 3)
        return out(2);
    else
        return out(1);
}
int contract_scope(int x) {
    if (x > 0) {
        int t = x ^ 21;
        return t;
    }
    return 0;
}
int relocate(int x, int y) {
    int b = y & 3;
    total = b;
    int a = x & 3;
    return a;
}
int relocate_branching(int x, int y) {
    int a = 0, b;
    b = y & 3;
    total = b;
    if (x > 2)
        a = x & 15;
    return a;
}
int relocate_two(int x, int y, int z) {
    int a, b, c = z & 15;
    total = 1;
    b = y & 7;
    a = x & 3;
    return a + b + c;
}
int relocate_near(int x, int y) {
    int a = (x & 3) + total;
    total = y;
    return a;
}

int enum_values(enum colour c) { return c == BLUE; }

int into_pointer(int x) {
    int v = x & 63;
    int *p = &v;
    *p |= 64;
    return v;
}
int from_pointer(int x) {
    int v = x;
    v &= 63;
    return v;
}
int group_variables(int x, int y) {
    struct { int w, h; } size = {x & 7, y & 7};
    return size.w * size.h;
}
static int global_used(int t) { return t & 3; }
int global_into_parameter(void) { return global_used(total); }
int associate(int a, int b, int c) { return a & (b & c); }
int associate_near(int a, int b, int c) { return a & (b | c); }
unsigned reassociate_sum(unsigned a, unsigned b, unsigned c) { return a + (b + c); }
void message(int x) {
    if (x)
        fprintf(stderr, "%s:%d\n", "new.c", 9);
}

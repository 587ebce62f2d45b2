//! Address computations with their access path, aggregates, lifetimes, initialisers.

use crate::{check, check_module};

#[test]
fn access_paths_name_c_fields() {
    check(
        "struct p { int x, y; }; struct n { char t; struct p p[3]; }; int f(struct n *n, int i) { return n->p[i].y; }",
        "addr inbounds v0 field(type4 1 4)
         addr inbounds v2 index(v3 x 8 type7 of 3)
         addr inbounds v4 field(type7 1 4)",
    );
    // The C type of the pointer decides between two structs of one name.
    check(
        "int f(int c) { if (c) { struct t { int a; } t = { 1 }; return t.a; } \
         else { struct t { long a, b; } t = { 1, 2 }; return t.b; } }",
        "field(type\n0 0)\nfield(type\n1 8)\n!field(?",
    );
    // A type that only a cast mentions.
    check("struct h { long a; int n; }; int f(void *p) { return ((struct h *)p)->n; }", "field(type\n1 8)");
    // Anonymous members.
    check(
        "int f(void) { struct { int a; struct { int b; }; } s = { 1, { 2 } }; return s.b; }",
        "field(type\n1 4)\n0 0)",
    );
}

#[test]
fn flexible_arrays_have_no_count() {
    check(
        "struct s { int n; char d[]; }; char f(struct s *s, int i) { return s->d[i]; }",
        "index(v3 x 1 type2)\n! of 0",
    );
}

#[test]
fn container_of_is_byte_arithmetic() {
    check(
        "struct l { struct l *n, *p; }; struct l *f(struct l **q) { return (struct l *)((char *)q - 8); }",
        "addr inbounds v0 index(-8:i64 x 1)",
    );
}

#[test]
fn bit_fields_are_their_storage() {
    check(
        "struct b { unsigned a : 3; int b : 5; }; int f(struct b *b) { b->b = -3; return b->b; }",
        "load v0 align\nand\nor\nstore v0\nashr",
    );
}

#[test]
fn structs_in_registers_are_several_values() {
    check("struct s { long a, b; }; struct s f(struct s s) { s.a ^= s.b; return s; }", "-> (i64, i64)\nreturn v");
    check("struct s { double d; int i; }; struct s f(struct s s) { return s; }", "(f64, i32) -> (f64, i32)");
}

#[test]
fn structs_in_memory_are_byval_and_sret() {
    check(
        "struct s { long a[9]; }; struct s f(struct s s) { return s; }",
        "(ptr sret(72), ptr byval(72 8)) -> ()\nmemcpy",
    );
}

#[test]
fn lifetimes() {
    check(
        "void g(int *); void f(void) { { int x; g(&x); } { int y; g(&y); } }",
        "lifetime.start v0\ncall @g(ptr v0)\nlifetime.end v0\nlifetime.start v1\nlifetime.end v1",
    );
    check("void g(char *); void f(int n) { while (n--) { char a[n]; g(a); } }", "stacksave\nalloca 1 x\nstackrestore");
}

#[test]
fn vectors_are_lanes() {
    let v = "typedef int v4 __attribute__((vector_size(16))); ";
    check(
        &format!("{v} v4 f(v4 *p, v4 *q) {{ return *p + *q; }}"),
        "-> (i32, i32, i32, i32)\nadd v\nadd v\nadd v\nadd v",
    );
    check(
        &format!("{v} void f(v4 *p, int i) {{ (*p)[i] = 3; }}"),
        "icmp eq v1, 0:i32\nselect\nicmp eq v1, 3:i32\nselect",
    );
    check(&format!("{v} int g(int, ...); int f(v4 *p) {{ return g(1, *p); }}"), "call @g(i32 1:i32, i32 v1 lanes(4)");
    check(
        "typedef _Bool m8 __attribute__((ext_vector_type(8))); void f(m8 *p, m8 *q) { *p = *p & *q; }",
        "= load v0 align 1\ntrunc\nlshr\nshl\nor\nstore v0",
    );
}

#[test]
fn complex_numbers() {
    check("_Complex double f(_Complex double a) { return a + 1.0; }", "(f64, f64) -> (f64, f64)\nfadd");
}

#[test]
fn initialisers() {
    check_module(
        "extern int e[]; int g(void); struct s { char c; long l; struct s *n; int (*f)(void); }; \
         struct s a = { 'x', -1, &a, g }; int *p = e + 3; union { char c; long l; } u = { 3 }; \
         static int d(void) { static int n = 7; return n++; } int (*q)(void) = d; const char *t = \"lit\";",
        &[],
        r#"global0 "a"
        init { 0 bytes "x", 8 bytes "\xff\xff\xff\xff\xff\xff\xff\xff", 16 address @a 0 size 8, 24 address @g 0 size 8 }
        "p"
        address @e 12 size 8
        "u"
        0 bytes "\x03", 1 undef 7
        address @d 0
        address @.str 0
        "d.n" source "n""#,
    );
}

#[test]
fn label_tables() {
    check_module(
        "int f(int i) { static const int t[] = { &&a - &&a, &&b - &&a }; static void *u[] = { &&b, &&a }; \
         goto *(i ? u[0] : &&a + t[1]); a: return 1; b: return 2; }",
        &[],
        "difference\nblockaddr",
    );
}

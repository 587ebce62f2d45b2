//! Our own promotion of stack variables: one arbitrary value per execution of a declaration, nothing folded.

use crate::check;

#[test]
fn an_uninitialised_variable_is_never_folded_away() {
    check(
        "int f(int c) { int x; if (c) x = 1; return x; }",
        "= uninit
         branch v2, b1, b2(v
         jump b2(1:i32)
         b2(v
         return v",
    );
}

#[test]
fn two_reads_of_one_uninitialised_variable_are_one_value() {
    check(
        "int f(void) { int x; return x == x; }",
        "v0: i32 var0 = uninit
         icmp eq v0, v0
         !undef",
    );
}

#[test]
fn each_iteration_has_a_fresh_variable() {
    // The `uninit` is in the loop, not before it.
    check(
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { int x; if (i & 1) x = i; s ^= x; } return s; }",
        "b0(v0: i32 var0):
         jump b1
         b1(
         branch
         b2:
         = uninit",
    );
}

#[test]
fn a_jump_past_the_declaration_keeps_one_value() {
    // No marker at the declaration: the variable is one value from the entry on.
    check(
        "int g(int); int f(int c) { if (c) goto in; { int x = 5; g(x); in: return x; } }",
        "b0(v0: i32 var0):
         = uninit
         branch
         call @g(i32 5:i32)
         return v",
    );
}

#[test]
fn loops_get_block_parameters() {
    check(
        "unsigned f(unsigned n) { unsigned a = 0, b = 1; while (n--) { unsigned t = a + b; a = b; b = t; } return a; }",
        "b1(v1: i32 var0, v2: i32 var1, v3: i32 var2):
         jump b1(
         return v2
         !alloca
         !load",
    );
}

#[test]
fn what_stays_in_memory() {
    let stays = |body: &str, expect: &str| check(&format!("int g(int *); {body}"), expect);
    stays("int f(void) { int x = 1; g(&x); return x; }", "alloca 4\nstore\ncall @g\nload");
    stays("int f(void) { volatile int x = 1; return x; }", "alloca 4\nstore v0, 1:i32 align 4 volatile\nload");
    stays("int f(void) { _Atomic int x = 1; x++; return x; }", "alloca 4\nrmw add");
    stays("int f(int i) { int a[2] = {1, 2}; return a[i]; }", "alloca 8");
    stays("struct s { int a; }; int f(void) { struct s s; s.a = 3; return s.a; }", "alloca 4\nfield(");
    stays("int f(int n) { int a[n]; a[0] = n; return a[0]; }", "alloca 4 x v");
}

#[test]
fn nothing_is_promoted_beside_setjmp() {
    check(
        "#include <setjmp.h>\njmp_buf e; int f(void) { int x = 1; if (setjmp(e)) return x; x = 2; longjmp(e, 1); }",
        "alloca 4
         store v0, 1:i32
         returns_twice
         load v0
         store v0, 2:i32",
    );
}

#[test]
fn parameters_are_values() {
    check("int f(int a, int *p) { *p = a; return *p; }", "b0(v0: i32 var0, v1: ptr var1):\nstore v1, v0\n!alloca");
}

#[test]
fn integers_and_floats_of_one_width_share_a_variable() {
    check(
        "unsigned f(float x) { union { float f; unsigned u; } p; p.f = x; return p.u; }",
        "= bitcast v0
         return
         !alloca",
    );
}

#[test]
fn stores_of_promoted_variables_stay_visible_to_traces() {
    let Some(m) = crate::lower_c("int f(int a) { int x = a; x ^= 3; return x; }", &[]) else { return };
    let f = m.function_named("f").expect("f");
    let text = verify_ir::text::print_function(&m, f);
    crate::expect_in(&text, "debug var0 = v0\ndebug var1 = v0\nxor v0, 3:i32\ndebug var1 = v1");
}

#[test]
fn missing_return_value_is_uninitialised() {
    check("int f(int c) { if (c) return 1; }", "= uninit\nreturn");
}

#[test]
fn computed_goto_keeps_variables_in_values() {
    check(
        "int f(int *p) { static void *t[] = { &&a, &&b }; int s = 0; goto *t[*p++ & 1]; \
         a: s ^= 1; goto *t[*p++ & 1]; b: return s; }",
        "indirectjump
         !alloca",
    );
}

#[test]
fn each_way_out_of_a_scope_goes_its_own_way() {
    // What is returned is the constant of each way, never a variable that the other way has not written.
    check(
        "int h(int *); int f(int c) { { int x = c; if (h(&x)) return 7; } return h(0); }",
        "branch
         lifetime.end
         jump b3(7:i32)
         lifetime.end
         = call @h
         return",
    );
}

#[test]
fn a_way_out_through_several_scopes_ends_all_of_them() {
    check(
        "int h(int *); int f(int c) { { int x = c; { int y = c; if (h(&x) + h(&y)) return 7; } h(0); } return h(0); }",
        "branch
         lifetime.end v2
         lifetime.end v1
         jump",
    );
}

//! Sanitizer handlers become checks; their blocks and data are gone.

use crate::{check, check_module};

#[test]
fn signed_overflow() {
    check(
        "int f(int a, int b) { return a + b; }",
        "overflow sadd v0, v1
         check signed-overflow v4 what \"+\" ctype \"int\" operands(v0, v1)
         return v2
         !branch
         !ubsan",
    );
    check("long f(long a, long b) { return a - b; }", "check signed-overflow v4 what \"-\" ctype \"long\"");
    check("int f(int a) { return -a; }", "check signed-overflow v3 what \"unary -\" ctype \"int\" operands(v0)");
    check("int f(int a) { return ++a; }", "check signed-overflow v3 what \"+\" ctype \"int\" operands(v0, 1:i32)");
    // Operands wider than the handler's arguments are spilled by clang: the values are found again.
    check(
        "__int128 f(__int128 a, __int128 b) { return a * b; }",
        "overflow smul\ncheck signed-overflow\nctype \"__int128\" operands(v",
    );
    check("unsigned f(unsigned a, unsigned b) { return a + b; }", "add v0, v1\n!check");
}

#[test]
fn division_is_two_checks() {
    check(
        "int f(int a, int b) { return a / b; }",
        "icmp ne v1, 0:i32
         check div-by-zero v2 what \"/\" ctype \"int\" operands(v0, v1)
         check signed-overflow v5 what \"/\" ctype \"int\" operands(v0, v1)
         sdiv v0, v1",
    );
    check("unsigned f(unsigned a, unsigned b) { return a % b; }", "check div-by-zero v2 what \"%\"\n!signed-overflow");
    check("int f(int a) { return a / 10; }", "sdiv v0, 10:i32\n!check");
    check("int f(void) { return 1 / 0; }", "check div-by-zero");
}

#[test]
fn shifts() {
    check(
        "int f(int a, int n) { return a << n; }",
        "icmp ule v1, 31:i32
         check shift-range v2 what \"<<\" ctype \"int\" operands(v0, v1) bound 32
         shl v0, v1",
    );
    check("unsigned char f(unsigned char a, long n) { return a >> n; }", "what \">>\" ctype \"int\"\nbound 32");
    check("int f(void) { return 1 << 40; }", "check shift-range 0:i1\nreturn poison:i32");
}

/// What `-fsanitize=shift-base` adds is a check of its own: the value, not the amount.
#[test]
fn shifted_values() {
    let text = |source: &str| {
        let m = crate::lower_c(source, &["-fsanitize=shift-base"])?;
        Some(crate::function_text(&m, "f"))
    };
    let Some(both) = text("int f(int a, int n) { return a << n; }") else { return };
    let amount = both.find("check shift-range").expect(&both);
    let value = both.find("check signed-overflow").expect(&both);
    assert!(amount < value && both.contains("what \"<<\" ctype \"int\" operands(v0, v1)"), "{both}");
    let unsigned = text("unsigned f(unsigned a, int n) { return a << n; }").expect("clang");
    assert!(unsigned.contains("check shift-range") && !unsigned.contains("signed-overflow"), "{unsigned}");
    let constant = text("int f(void) { return 1 << 31; }").expect("clang");
    assert!(constant.contains("check signed-overflow") && !constant.contains("shift-range"), "{constant}");
}

#[test]
fn array_indices() {
    check(
        "int a[10]; int f(int i) { return a[i]; }",
        "check array-index v2 what \"index\" ctype \"int[10]\" operands(v0) bound 10",
    );
    // One past the end is an address but no element.
    check("int a[10]; int *f(int i) { return &a[i]; }", "icmp ule\nbound 10");
    check(
        "int f(int n, int i) { int a[n]; a[0] = 1; return a[i]; }",
        "check vla-bound\ncheck array-index\noperands(v1, v",
    );
}

#[test]
fn other_kinds() {
    check(
        "int f(double d) { return d; }",
        "check float-cast v3 what \"conversion\" ctype \"double to int\" operands(v0)",
    );
    check("_Bool f(_Bool *p) { return *p; }", "load v0\ncheck invalid-value v2 what \"load\" ctype \"_Bool\"");
    check("int f(unsigned a) { return __builtin_clz(a); }", "check invalid-argument v1 what \"__builtin_clz(0)\"");
    check("void f(int a) { if (a) __builtin_unreachable(); }", "check unreachable 0:i1\nunreachable");
    check("void f(int a) { if (a) __builtin_trap(); }", "check assertion 0:i1 what \"__builtin_trap\"");
    check(
        "__attribute__((nonnull)) void g(char *); void f(char *p) { g(p); }",
        "icmp ne v0, null\ncheck invalid-argument v1 what \"null passed",
    );
    check("__attribute__((returns_nonnull)) char *f(char *p) { return p; }", "check null-return");
}

#[test]
fn the_static_data_is_dropped() {
    check_module("int f(int a, int b) { return a / b + a; }", &[], "func0 \"f\"\n!global0\n!__ubsan");
}

#[test]
fn positions_are_those_of_the_operator() {
    check_module("int f(int a, int b)\n{\n  return a\n    + b;\n}\n", &[], "4 5");
}

#[test]
fn recovering_handlers_are_checks_too() {
    crate::check_with(
        "int f(int a, int b) { return a + b; }",
        &["-fsanitize=signed-integer-overflow", "-fsanitize-recover=signed-integer-overflow"],
        "check signed-overflow",
    );
}

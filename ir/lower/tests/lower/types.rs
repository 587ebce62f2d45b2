//! What the debug information says: types, names, files, macros, positions; linkage and attributes.

use crate::{check_module, lower_c};

#[test]
fn records() {
    check_module(
        "struct l { struct l *next; int v : 3; unsigned w : 5; const char *s; }; enum e { A, B = -2 }; \
         typedef union { float f; enum e e; } u; struct l a; u b;",
        &[],
        r#"enum "e" type2 { "A" = 0, "B" = -2 }
           struct "l" size 24 align 0 { "next" type4 0 64, "v" type2 64 3 bits, "w" type5 67 5 bits, "s" type6 128 64 }
           type7 const type8
           typedef "u" type10
           union "" size 4"#,
    );
}

#[test]
fn arrays_of_several_dimensions() {
    check_module("int a[2][3];", &[], "array type3 [2]\nint\ntype3 array type2 [3]");
}

#[test]
fn functions_and_attributes() {
    check_module(
        "__attribute__((noreturn)) void die(int, ...); __attribute__((malloc, alloc_size(1, 2))) void *c(long, long); \
         int u(); int k(a) int a; { return u(a); } __attribute__((weak)) int w(void) { return 1; } \
         int al(void) __attribute__((alias(\"w\"))); static int i(void) { return 2; } \
         static int (*r(void))(void) { return i; } int ifn(void) __attribute__((ifunc(\"r\"))); \
         __attribute__((constructor(200))) static void ctor(void) {} \
         __attribute__((visibility(\"hidden\"), section(\"sec\"))) int h = 3; _Thread_local int t; \
         void use(void) { c(1, 2); die(1); }",
        &["-std=gnu11"],
        r#""h" source "h" unit0 external hidden section "sec"
           thread_local
           "k" unit0 external default (i32) -> (i32) no_prototype
           "u" unit0 external default (...) -> (i32) no_prototype
           "w" unit0 weak
           malloc alloc_size(0 1)
           "die"
           noreturn
           alias0 "al" external default unit0 @w 0
           alias1 "ifn"
           ifunc
           constructor 200 @ctor"#,
    );
}

#[test]
fn common_and_inline() {
    check_module("int x;", &["-fcommon"], "\"x\" source \"x\" unit0 common");
    check_module(
        "inline int g(int a) { return a; } int f(int a) { return g(a); }",
        &["-O2"],
        "\"g\" unit0 available_externally",
    );
}

#[test]
fn macros_of_the_file_and_not_the_predefined() {
    let Some(m) = lower_c("#define TWICE(x) ((x) * 2)\n#undef TWICE\nint f(void) { return __GNUC__; }", &[]) else {
        return;
    };
    let all: Vec<(&str, &str, u32, bool)> =
        m.macros.iter().map(|d| (d.name.as_str(), d.body.as_str(), d.line, d.undef)).collect();
    assert_eq!(all, [("TWICE(x)", "((x) * 2)", 1, false), ("TWICE", "", 2, true)]);
}

#[test]
fn files_have_text_and_hash() {
    let source = "#include <stddef.h>\nsize_t f(void) { return sizeof(size_t); }\n";
    let Some(m) = lower_c(source, &[]) else { return };
    let main = m.files.iter().find(|f| f.path.ends_with("t.c")).expect("main file");
    assert_eq!(main.text.as_deref(), Some(source));
    assert_eq!(main.hash, *blake3::hash(source.as_bytes()).as_bytes());
    assert!(!main.system);
    assert!(m.files.iter().any(|f| f.path.ends_with("stddef.h") && f.system), "compiler headers are system files");
    assert_eq!(m.units[0].language, "C11");
}

#[test]
fn module_assembly_is_named() {
    let Some(m) = lower_c("__asm__(\".globl foo\"); int x = 1;", &[]) else { return };
    assert_eq!(m.unmodelled.len(), 1, "{:?}", m.unmodelled);
    assert!(m.unmodelled[0].contains(".globl foo"), "{:?}", m.unmodelled);
}

#[test]
fn models_are_system_files() {
    let Some(bytes) = crate::bitcode("int x = 1;", &[]) else { return };
    let m = verify_lower::lower(&bytes, "t.c", verify_lower::Options { model: true }).expect("lowers");
    assert!(m.units[0].model && m.files.iter().all(|f| f.system));
}

#[test]
fn a_struct_that_is_returned_is_a_variable_of_its_own() {
    check_module(
        "struct s { long a[9]; }; struct s f(int x) { struct s result = { { x } }; return result; }",
        &[],
        "var1 \"result\"\nb0(v0: ptr, v1: i32 var0)\nv2: ptr var1 = alloca\nmemcpy v0, v2, 72",
    );
}

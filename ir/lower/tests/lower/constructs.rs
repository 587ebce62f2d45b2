//! Every construct of the fixtures is lowered, well formed, and modelled except where it says otherwise.

use crate::{bitcode_of_file, lowered};
use std::path::Path;
use verify_ir::inst::InstKind;
use verify_ir::{Module, check::check};

/// Reasons of all `unmodelled` instructions, in order.
pub fn unmodelled(m: &Module) -> Vec<String> {
    let mut out = m.unmodelled.clone();
    for f in &m.functions {
        for i in f.body.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.insts) {
            if let InstKind::Unmodelled { reason, .. } = &i.kind {
                out.push(reason.clone());
            }
        }
    }
    out
}

fn fixture(name: &str, standard: &str, expect: &[&str]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower/fixtures").join(name);
    for level in ["-O0", "-O2"] {
        let Some(bytes) = bitcode_of_file(&path, &[standard, level]) else { return };
        let again = lowered(bytes.clone(), name);
        let m = lowered(bytes, name);
        assert_eq!(unmodelled(&m), expect, "{name} {level}");
        // The same bytes in, the same bytes out; and every form holds them.
        let encoded = verify_ir::binary::encode(&m).expect("encodes");
        assert!(encoded == verify_ir::binary::encode(&again).expect("encodes"), "{name}: not deterministic");
        assert!(verify_ir::binary::decode(&encoded).expect("decodes") == m, "{name}: binary form differs");
        let text = verify_ir::text::print(&m);
        let parsed = verify_ir::text::parse(&text).expect("text parses");
        assert!(check(&parsed).is_ok());
        assert_eq!(verify_ir::text::print(&parsed), text, "{name}: text form differs");
    }
}

#[test]
fn integers() {
    fixture("integers.c", "-std=gnu2x", &[]);
}
#[test]
fn floats() {
    fixture("floats.c", "-std=gnu17", &[]);
}
#[test]
fn records() {
    fixture("records.c", "-std=gnu17", &[]);
}
#[test]
fn control() {
    fixture("control.c", "-std=gnu17", &[]);
}
#[test]
fn calls() {
    fixture("calls.c", "-std=gnu17", &["naked function (inline assembly only)"]);
}
#[test]
fn globals() {
    fixture("globals.c", "-std=gnu17", &[]);
}
#[test]
fn vectors() {
    fixture("vectors.c", "-std=gnu17", &[]);
}
#[test]
fn builtins() {
    fixture("builtins.c", "-std=gnu17", &["floating-point exception flags (FENV_ACCESS)"]);
}

/// Other machines: 32 bits, and big-endian.
#[test]
fn other_targets() {
    for target in ["--target=i386-linux-gnu", "--target=s390x-linux-gnu", "--target=aarch64-linux-gnu"] {
        let source = "struct s { int a : 5; long b; char c; }; struct s g = { 1, 2, 3 }; unsigned short w[] = { 258 }; \
                      typedef int v4 __attribute__((vector_size(16))); typedef short s8 __attribute__((vector_size(16))); \
                      long f(struct s s, int i, v4 *v, s8 *t) { *t = (s8)*v; return s.a + s.b + (&s)[i].c; }";
        let Some(m) = crate::lower_c(source, &[target]) else { return };
        assert_eq!(unmodelled(&m), Vec::<String>::new(), "{target}");
        let text = verify_ir::text::print(&m);
        let big = target.contains("s390x");
        assert!(text.contains(if big { r#"bytes "\x01\x02""# } else { r#"bytes "\x02\x01""# }), "{text}");
    }
}

/// What has no model is named, and the rest of the unit is there.
#[test]
fn reasons_name_what_is_not_modelled() {
    let reasons = |source: &str, flags: &[&str], expect: &[&str]| {
        if let Some(m) = crate::lower_c(source, flags) {
            assert_eq!(unmodelled(&m), expect, "{source}");
        }
    };
    reasons(
        "int __seg_gs *p; int f(void) { return *p; }",
        &["--target=x86_64-linux-gnu"],
        &["pointer in address space 256"],
    );
    reasons("double f(double a, int b) { return __builtin_powi(a, b); }", &[], &["intrinsic llvm.powi.f64.i32"]);
    reasons("void *b[5]; int f(void) { return __builtin_setjmp(b); }", &[], &["intrinsic llvm.eh.sjlj.setjmp"]);
    reasons("__asm__(\".globl x\"); int f(void) { return 1; }", &[], &["assembly outside functions: `.globl x`"]);
}

/// A template that does nothing leaves moves of what is tied to its outputs, and the barrier.
#[test]
fn empty_assembly_moves() {
    let assembly = |source: &str| {
        let m = crate::lower_c(source, &[])?;
        Some(verify_ir::text::print(&m).lines().filter(|l| l.contains(" asm ")).count())
    };
    let Some(none) = assembly("int f(int x, char *p) { __asm__(\"# x\" : \"+r\"(x), \"+g\"(p)); return x + *p; }")
    else {
        return;
    };
    assert_eq!(none, 0);
    assert_eq!(assembly("int f(int x) { __asm__ volatile(\"pause\" : : \"r\"(x) : \"memory\"); return x; }"), Some(1));
    assert_eq!(assembly("int f(long x) { int y; __asm__(\"\" : \"=r\"(y) : \"0\"((int)x)); return y; }"), Some(0));
    // What a register happens to hold, and what is computed.
    assert_eq!(assembly("int f(void) { int y; __asm__(\"\" : \"=r\"(y)); return y; }"), Some(1));
    assert_eq!(assembly("int f(int x) { __asm__(\"neg %0\" : \"+r\"(x)); return x; }"), Some(1));
}

/// C++ is for later, but it is read: classes, exceptions, lambdas.
#[test]
fn c_plus_plus_is_read() {
    let source = "struct B { virtual ~B() {} virtual int f(int) = 0; }; struct D : B { int x; int f(int a) { return a + x; } }; \
                  int g(int); int h(int a) { try { D d; return g(a) + d.f(1); } catch (int e) { return e; } } \
                  int l(int a) { auto f = [&](int z) { return z + a; }; return f(3); } B *mk() { return new D; }";
    let Some(m) = crate::lower_c(source, &["-xc++"]) else { return };
    assert!(
        unmodelled(&m).iter().all(|r| r == "C++ exception handling (landingpad)" || r.contains("intrinsic llvm.eh."))
    );
    assert!(verify_ir::text::print(&m).contains("invoke"));
}

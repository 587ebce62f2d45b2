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
            if let InstKind::Unmodelled { reason } = &i.kind {
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

//! C through clang 19 and the lowering: text form of small functions, well-formedness of everything, bad input. Without
//! clang 19 on the machine every test says so and passes.

mod bad_input;
mod checks;
mod constructs;
mod corpus;
mod linked;
mod memory;
mod promotion;
mod types;

use std::path::{Path, PathBuf};
use std::process::Command;
use verify_ir::Module;
use verify_ir::text::print;
use verify_lower::{Options, lower};

/// How a capture runs clang.
const CAPTURE: &[&str] = &[
    "-g",
    "-fdebug-macro",
    "-w",
    "-c",
    "-emit-llvm",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-fsanitize-address-use-after-scope",
    "-fno-elide-constructors",
    "-fsanitize=signed-integer-overflow,shift-exponent,integer-divide-by-zero,unreachable,array-bounds,vla-bound,bool,\
     builtin,nonnull-attribute,returns-nonnull-attribute,float-cast-overflow",
    "-fno-sanitize-recover=all",
];

/// clang 19, if there is one.
fn clang() -> Option<PathBuf> {
    let names = ["clang-19", "/usr/lib/llvm-19/bin/clang", "clang"];
    let found = names.iter().find(|n| {
        Command::new(n)
            .arg("--version")
            .output()
            .is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains("version 19."))
    });
    if found.is_none() {
        eprintln!("skipped: no clang 19 on this machine (Debian: apt install clang-19)");
    }
    found.map(PathBuf::from)
}

/// Bitcode of a C file, `None` without clang. `extra` comes before the capture's flags.
fn bitcode_of_file(file: &Path, extra: &[&str]) -> Option<Vec<u8>> {
    let clang = clang()?;
    let dir = tempfile::tempdir().expect("temporary folder");
    let out = dir.path().join("out.bc");
    let run = Command::new(clang).args(extra).args(CAPTURE).arg(file).arg("-o").arg(&out).output().expect("clang runs");
    assert!(run.status.success(), "clang failed on {}: {}", file.display(), String::from_utf8_lossy(&run.stderr));
    Some(std::fs::read(out).expect("clang wrote bitcode"))
}

/// Bitcode of C text.
fn bitcode(source: &str, extra: &[&str]) -> Option<Vec<u8>> {
    let dir = tempfile::tempdir().expect("temporary folder");
    let file = dir.path().join("t.c");
    std::fs::write(&file, source).expect("can write");
    bitcode_of_file(&file, extra)
}

/// Lowers on a thread with room for deep debug information, and has the result checked.
fn lowered(bytes: Vec<u8>, name: &str) -> Module {
    let n = name.to_owned();
    let worker = std::thread::Builder::new().stack_size(64 << 20);
    let m = worker
        .spawn(move || lower(&bytes, &n, Options::default()).expect("lowering succeeds"))
        .expect("a thread")
        .join()
        .expect("no panic");
    if let Err(p) = verify_ir::check::check(&m) {
        let first: Vec<String> = p.iter().take(5).map(ToString::to_string).collect();
        panic!("{name}: not well formed:\n{}", first.join("\n"));
    }
    m
}

fn lower_c(source: &str, extra: &[&str]) -> Option<Module> {
    // The folder lives until the text of the file has been read.
    let dir = tempfile::tempdir().expect("temporary folder");
    let file = dir.path().join("t.c");
    std::fs::write(&file, source).expect("can write");
    Some(lowered(bitcode_of_file(&file, extra)?, "t.c"))
}

/// Text of a function without positions and debug values: ` !12`, `debug ...`.
fn function_text(m: &Module, name: &str) -> String {
    let f = m.function_named(name).unwrap_or_else(|| panic!("no function {name}"));
    let text = verify_ir::text::print_function(m, f);
    let mut out = String::new();
    for line in text.lines() {
        let line = match line.rsplit_once(" !") {
            Some((l, n)) if n.bytes().all(|b| b.is_ascii_digit()) => l,
            _ => line,
        };
        let t = line.trim_start();
        if !t.starts_with("debug ") && !t.starts_with("{ var") && !t.starts_with("var") {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Lowers `source` and expects every line of `expect` in the text of function `f`, in this order; a line that begins
/// with `!` must not occur anywhere.
#[track_caller]
fn check(source: &str, expect: &str) {
    check_with(source, &[], expect);
}

/// Like [`check`], with compiler flags.
#[track_caller]
fn check_with(source: &str, flags: &[&str], expect: &str) {
    let Some(m) = lower_c(source, flags) else { return };
    expect_in(&function_text(&m, "f"), expect);
}

/// Like [`check`], on the text of the whole module.
#[track_caller]
fn check_module(source: &str, flags: &[&str], expect: &str) {
    let Some(m) = lower_c(source, flags) else { return };
    expect_in(&print(&m), expect);
}

#[track_caller]
fn expect_in(text: &str, expect: &str) {
    let mut rest = text;
    for want in expect.lines().map(str::trim).filter(|l| !l.is_empty()) {
        if let Some(never) = want.strip_prefix('!') {
            assert!(!text.contains(never), "unexpected `{never}` in:\n{text}");
            continue;
        }
        match rest.find(want) {
            Some(i) => rest = &rest[i + want.len()..],
            None => panic!("expected `{want}` (in this order) in:\n{text}"),
        }
    }
}

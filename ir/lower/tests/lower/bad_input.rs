//! Bad input gives one line and status 1.

use std::process::{Command, Output};

fn run(bytes: &[u8]) -> Output {
    let dir = tempfile::tempdir().expect("temporary folder");
    let (input, output) = (dir.path().join("x.bc"), dir.path().join("x.unit"));
    std::fs::write(&input, bytes).expect("can write");
    let out = Command::new(env!("CARGO_BIN_EXE_verify-lower")).arg(&input).arg("-o").arg(&output).output();
    let out = out.expect("runs");
    assert_eq!(out.status.success(), output.exists(), "a unit exactly on success");
    out
}

#[track_caller]
fn fails(bytes: &[u8], with: &str) {
    let out = run(bytes);
    let text = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("verify-lower: ") && text.contains(with), "{text}");
}

#[test]
fn not_bitcode() {
    fails(b"", "no bitcode signature");
    fails(b"hello, world", "no bitcode signature");
    fails(b"\x7fELF\x02\x01\x01", "no bitcode signature");
}

#[test]
fn truncated_bitcode() {
    let Some(bytes) = crate::bitcode("int f(int a) { return a + 1; }", &[]) else { return };
    assert!(run(&bytes).status.success());
    for keep in [4, 5, 16, 100, bytes.len() / 4, bytes.len() / 2, bytes.len() - 64] {
        fails(&bytes[..keep], "");
    }
}

#[test]
fn damaged_bitcode_never_hangs_or_kills_by_panic() {
    let Some(bytes) = crate::bitcode("int g(int); int f(int a) { return g(a) + 1; }", &[]) else { return };
    // Fixed places; the outcome may be anything that LLVM decides, but no Rust panic.
    for k in 0..24 {
        let mut b = bytes.clone();
        let at = 8 + (k * 7919) % (b.len() - 8);
        b[at] ^= 1 << (k % 8);
        let text = String::from_utf8_lossy(&run(&b).stderr).into_owned();
        assert!(!text.contains("panicked"), "byte {at}: {text}");
    }
}

#[test]
fn usage() {
    let out = Command::new(env!("CARGO_BIN_EXE_verify-lower")).output().expect("runs");
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stderr).contains("usage: verify-lower"));
    let out = Command::new(env!("CARGO_BIN_EXE_verify-lower")).args(["/nonexistent.bc", "-o", "/dev/null"]).output();
    assert!(String::from_utf8_lossy(&out.expect("runs").stderr).contains("cannot read /nonexistent.bc"));
}

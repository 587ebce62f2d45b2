//! The linked clang against the real one: the same units, the same words for what is rejected. Skipped where none is
//! linked. `VERIFY_LINKED_SHARE=1` takes every program of the project instead of every 20th.

use crate::{CAPTURE, bitcode_of_file, clang};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const REJECTED: i32 = 65;
const NOT_HERE: i32 = 69;

fn at_once(clang: &Path, unit: &Path, words: &[OsString]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verify-lower"));
    command.arg("--clang").arg(clang).arg("-o").arg(unit).arg("--").args(words).env("LC_ALL", "C");
    command.output().expect("runs")
}

fn words(extra: &[&str], file: &Path) -> Vec<OsString> {
    let mut out: Vec<OsString> = extra.iter().chain(CAPTURE).map(OsString::from).collect();
    out.extend(["-o".into(), "unit.bc".into(), file.into()]);
    out
}

/// The clang, if there is one and it is linked.
fn linked(dir: &Path) -> Option<PathBuf> {
    let clang = clang()?;
    let file = dir.join("probe.c");
    std::fs::write(&file, "int x;\n").expect("can write");
    // By its full path, as the wrapper names it.
    let found = std::env::split_paths(&std::env::var_os("PATH")?).map(|d| d.join(&clang)).find(|p| p.is_file())?;
    let out = at_once(&found, &dir.join("probe.unit"), &words(&[], &file));
    if out.status.code() == Some(NOT_HERE) {
        eprintln!("skipped: no linked clang (Debian: apt install libclang-19-dev)");
        return None;
    }
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    Some(found)
}

fn sources(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "c") {
            out.push(path);
        }
    }
}

#[test]
fn the_same_units() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let Some(clang) = linked(dir.path()) else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    ["tests", "models", "ir/lower/tests"].iter().for_each(|d| sources(&root.join(d), &mut files));
    files.sort();
    let share = std::env::var("VERIFY_LINKED_SHARE").ok().and_then(|n| n.parse().ok()).unwrap_or(20usize);
    let options: [&[&str]; 4] =
        [&["-O0"], &["-O2"], &["-O1", "-m32"], &["-O2", "-fwrapv", "-funsigned-char", "-std=gnu17"]];
    let (mut same, mut rejected) = (0, 0);
    for (k, file) in files.iter().step_by(share).enumerate() {
        let extra = options[k % options.len()];
        let unit = dir.path().join("once.unit");
        _ = std::fs::remove_file(&unit);
        let once = at_once(&clang, &unit, &words(extra, file));
        let real = Command::new(&clang).args(words(extra, file)).current_dir(dir.path()).env("LC_ALL", "C").output();
        let real = real.expect("clang runs");
        let said = |o: &Output| String::from_utf8_lossy(&o.stderr).into_owned();
        // Nothing assembles here; what the compiler itself accepts is not doubted.
        if !real.status.success() && said(&real).starts_with("<inline asm>") {
            continue;
        }
        if !real.status.success() {
            assert_eq!(once.status.code(), Some(REJECTED), "{}: {}", file.display(), said(&once));
            assert_eq!(said(&once), said(&real), "{}", file.display());
            rejected += 1;
            continue;
        }
        assert!(once.status.success(), "{}: {}", file.display(), said(&once));
        let bitcode = dir.path().join("two.bc");
        std::fs::write(&bitcode, bitcode_of_file(file, extra).expect("clang is there")).expect("can write");
        let two = dir.path().join("two.unit");
        let lower = Command::new(env!("CARGO_BIN_EXE_verify-lower")).arg(&bitcode).arg("-o").arg(&two).output();
        assert!(lower.expect("runs").status.success(), "{}", file.display());
        assert!(std::fs::read(&unit).ok() == std::fs::read(&two).ok(), "{} with {extra:?}", file.display());
        same += 1;
    }
    println!("{same} the same, {rejected} rejected");
    assert!(same > 10, "{same} the same, {rejected} rejected");
}

#[test]
fn what_is_not_one_plain_compile() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let Some(clang) = linked(dir.path()) else { return };
    let file = dir.path().join("probe.c");
    let unit = dir.path().join("x.unit");
    let refused = |clang: &Path, words: &[OsString]| {
        let out = at_once(clang, &unit, words);
        assert_eq!(out.status.code(), Some(NOT_HERE), "{words:?}: {}", String::from_utf8_lossy(&out.stderr));
        assert!(!unit.exists(), "{words:?}");
    };
    // Another clang, by a name of its own or in another file.
    let copy = dir.path().join("clang-19");
    std::fs::write(&copy, "#!/bin/sh\nexit 1\n").expect("can write");
    refused(&copy, &words(&[], &file));
    refused(&dir.path().join("gone"), &words(&[], &file));
    // Passes, assembly, two sources, no source, an unknown option, a missing file.
    let plain: Vec<OsString> = words(&[], &file);
    let without = |gone: &str| plain.iter().filter(|w| *w != gone).cloned().collect::<Vec<_>>();
    refused(&clang, &without("-emit-llvm"));
    refused(
        &clang,
        &plain.iter().filter(|w| *w != "-Xclang" && *w != "-disable-llvm-passes").cloned().collect::<Vec<_>>(),
    );
    refused(&clang, &plain[..plain.len() - 1]);
    refused(&clang, &words(&["--no-such-option"], &file));
    refused(&clang, &words(&[], Path::new("/nonexistent/x.c")));
    refused(&clang, &words(&["-mllvm", "-inline-threshold=3"], &file));
}

#[test]
fn words_in_a_file() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let Some(clang) = linked(dir.path()) else { return };
    let list = dir.path().join("words");
    let file = dir.path().join("probe.c");
    let text: Vec<String> = words(&[], &file).iter().map(|w| format!("'{}'", w.to_str().expect("text"))).collect();
    std::fs::write(&list, text.join("\n")).expect("can write");
    let unit = dir.path().join("x.unit");
    let out = at_once(&clang, &unit, &[format!("@{}", list.display()).into()]);
    assert!(out.status.success() && unit.exists(), "{}", String::from_utf8_lossy(&out.stderr));
}

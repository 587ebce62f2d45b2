//! The regression tests of Predator: C files, each with what Predator prints about it (`.err`). They ask whether memory
//! is used safely, with allocations that never fail.

use super::{Expected, Task};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The tests of a folder: C files that have an `.err` beside them.
pub fn tasks(folder: &Path) -> Result<Vec<Task>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "c") && p.with_extension("err").is_file())
        .collect();
    files.sort();
    let headers = folder.ancestors().map(|p| p.join("include/predator-builtins")).find(|p| p.is_dir());
    let group = folder.file_name().unwrap_or_default().to_string_lossy();
    let mut out = Vec::new();
    for f in files {
        let err = f.with_extension("err");
        let said = std::fs::read_to_string(&err).with_context(|| format!("cannot read {}", err.display()))?;
        let mut arguments: Vec<String> = ["--property", "valid-memsafety", "--64"].map(String::from).to_vec();
        if let Some(h) = &headers {
            arguments.extend(["-I".into(), h.display().to_string()]);
        }
        arguments.extend(["-DPREDATOR".into(), "-std=gnu99".into(), f.display().to_string()]);
        let name = format!("{group}/{}", f.file_stem().unwrap_or_default().to_string_lossy());
        let (mut expected, class) = expected(&said);
        if DISPUTED.iter().any(|(n, _)| *n == name) {
            expected = Expected::Open;
        }
        out.push(Task { name, class: class.into(), expected, arguments, skip: None });
    }
    Ok(out)
}

/// Complaints that say nothing about the program.
const OTHER: &[&str] =
    &["___sl_error() reached", "unsupported", "not supported", "timed out", "unhandled", "error label"];

/// What Predator says here is not so, and why.
const DISPUTED: &[(&str, &str)] = &[
    ("predator-regre/test-0014", "the leak is one of the abstraction, says its text"),
    ("predator-regre/test-0041", "recursion without end is no access"),
    ("predator-regre/test-0140", "the leak is one of the abstraction, says its text"),
    ("predator-regre/test-0174", "the leak is one of the abstraction"),
    ("predator-regre/test-0266", "`realloc(p, 0)` gives null, as in glibc"),
    ("predator-regre/test-0418", "a negative size passes its tests for small and large sizes"),
];

fn expected(said: &str) -> (Expected, &'static str) {
    let faults = said.lines().filter(|l| l.contains(": error: ") || l.contains("memory leak detected"));
    let (mut all, mut real) = (0, 0);
    for l in faults {
        all += 1;
        real += usize::from(!OTHER.iter().any(|o| l.contains(o)));
    }
    match (all, real) {
        (0, _) => (Expected::True, "safe"),
        (_, 0) => (Expected::Open, "other"),
        _ => (Expected::False(None), "unsafe"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_predator_says() {
        let check = |text: &str, e: Expected| assert_eq!(expected(text).0, e, "{text}");
        check("", Expected::True);
        check("a.c:4: warning: end of function main() has not been reached\n", Expected::True);
        check("a.c:4: error: ___sl_error() reached, analysis of this code path will not continue\n", Expected::Open);
        check("a.c:4: warning: memory leak detected while destroying a variable on stack\n", Expected::False(None));
        check("a.c:9: error: double free detected\n", Expected::False(None));
    }
}

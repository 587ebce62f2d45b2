//! Programs whose file names say what holds, as those of the competition on software verification did before 2020:
//! `sum_true-unreach-call_false-termination.c`. One task for each property that a name speaks of.

use super::{Expected, Task};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// What names say, the longer ones first, and the property that is asked.
const NAMES: &[(&str, &str)] = &[
    ("unreach-call", "unreach-call"),
    ("unreach-label", "unreach-call"),
    ("unreach", "unreach-call"),
    ("valid-memsafety", "valid-memsafety"),
    ("valid-deref", "valid-memsafety"),
    ("valid-free", "valid-memsafety"),
    ("valid-memtrack", "valid-memsafety"),
    ("no-overflow", "no-overflow"),
    ("termination", "termination"),
];

/// The programs of a folder whose names say something.
pub fn tasks(folder: &Path) -> Result<Vec<Task>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "c" || e == "i"))
        .collect();
    files.sort();
    Ok(files.iter().flat_map(|f| tasks_of(f)).collect())
}

fn tasks_of(file: &Path) -> Vec<Task> {
    let group = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut out: Vec<Task> = Vec::new();
    for (property, expected) in said(&name) {
        let model = if name.contains("64") { "LP64" } else { "ILP32" };
        let arguments = ["--property", property, "--data-model", model, &file.display().to_string()];
        out.push(Task {
            name: format!("{group}/{name}"),
            class: property.to_string(),
            expected,
            arguments: arguments.map(String::from).to_vec(),
            skip: None,
        });
    }
    out
}

/// The properties of a name, each once: the first that is said of it, a failure before success.
fn said(name: &str) -> Vec<(&'static str, Expected)> {
    let mut out: Vec<(&str, Expected)> = Vec::new();
    let verdicts = [("false-", false), ("true-", true)];
    for (word, holds) in verdicts {
        for (at, _) in name.match_indices(word) {
            let rest = &name[at + word.len()..];
            let Some((what, property)) = NAMES.iter().find(|(n, _)| rest.starts_with(n)) else { continue };
            let expected = match (holds, *property) {
                (true, _) => Expected::True,
                (false, "valid-memsafety") if *what != *property => Expected::False(Some((*what).to_string())),
                (false, _) => Expected::False(None),
            };
            // `true-valid-deref` alone says nothing about the rest of memory safety.
            let whole = !holds || *property != "valid-memsafety" || what == property;
            if whole && !out.iter().any(|(p, _)| p == property) {
                out.push((property, expected));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check = |name: &str, expect: &[(&'static str, Expected)]| assert_eq!(said(name), expect, "{name}");
        check("a_true-unreach-call", &[("unreach-call", Expected::True)]);
        check(
            "a_true-unreach-call_false-termination",
            &[("termination", Expected::False(None)), ("unreach-call", Expected::True)],
        );
        check("x-0158_false-valid-free", &[("valid-memsafety", Expected::False(Some("valid-free".into())))]);
        check(
            "x_true-valid-memsafety_true-termination",
            &[("valid-memsafety", Expected::True), ("termination", Expected::True)],
        );
        check("x_true-valid-deref", &[]);
        check("untrue-story", &[]);
    }
}

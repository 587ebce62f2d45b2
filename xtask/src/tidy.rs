//! The rules of the house that a program can check: module docs, file sizes, leftovers, paths of somebody's machine,
//! who may depend on whom, who may touch LLVM, files, the clock and the environment, where `unsafe` may stand, the book's
//! links, the features of dependencies.

use crate::book;
use crate::features;
use crate::sh;
use crate::tally::Tally;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

const MAX_LINES: usize = 1500;

/// Crate folder and the project crates that it may depend on directly; what these may use, it may use too.
const MAY_DEPEND: &[(&str, &[&str])] = &[
    ("ir", &[]),
    ("ir/lower", &["ir"]),
    ("ir/interp", &["ir"]),
    ("cache", &["ir"]),
    ("compile-db", &[]),
    ("wrapper", &["cache", "compile-db"]),
    ("analysis/facts", &["ir"]),
    ("analysis/checks", &["ir", "analysis/facts"]),
    ("analysis/solver", &[]),
    ("analysis/encode", &["analysis/facts", "analysis/checks", "analysis/solver"]),
    ("analysis/engine", &["analysis/facts", "analysis/checks", "ir/interp"]),
    ("analysis/probe", &["analysis/engine", "ir/interp"]),
    ("analysis/certify", &["ir", "analysis/facts", "analysis/checks", "analysis/solver"]),
    ("analysis/kiki", &["analysis/engine", "analysis/encode", "analysis/certify"]),
    ("analysis/smg", &["analysis/engine", "analysis/encode"]),
    ("analysis/symheap", &["analysis/engine", "analysis/encode"]),
    ("analysis/termination", &["analysis/engine", "analysis/encode", "analysis/kiki"]),
    ("analysis/diff", &["analysis/engine", "analysis/encode"]),
    ("report", &["ir", "analysis/checks", "analysis/engine"]),
    ("driver/trace", &[]),
    ("xtask", &[]),
];

/// The one crate that may use everything.
const TOP: &str = "driver";

/// Text in library code, and the crates where it may stand.
const ONLY_IN: &[(&[&str], &[&str])] = &[
    (&["std::env::", "SystemTime::now", "Instant::now", "println!("], &["driver", "wrapper", "ir/lower", "xtask"]),
    (
        &["std::fs::", "fs::read", "File::open"],
        &["driver", "driver/trace", "wrapper", "ir/lower", "cache", "compile-db", "xtask"],
    ),
    (&["partialFingerprints", "physicalLocation"], &["report", "xtask"]),
    (&[concat!("llvm", "_sys")], &["ir/lower"]),
];

/// Crates that bind C and therefore may hold `unsafe`.
const MAY_BE_UNSAFE: &[&str] = &["ir/lower", "analysis/solver", "driver/trace"];

struct Sources {
    files: Vec<(String, String)>,
}

impl Sources {
    fn read() -> Result<Sources> {
        let root = sh::root();
        let mut git = Command::new("git");
        git.args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]).current_dir(&root);
        let names = sh::quiet(&mut git, 60)?.out();
        let mut files = Vec::new();
        for name in names.split('\0').filter(|n| !n.is_empty()) {
            // A file that is deleted but still in the index, or not text, is nobody's business here.
            if let Ok(text) = std::fs::read_to_string(root.join(name)) {
                files.push((name.to_string(), text));
            }
        }
        files.sort();
        Ok(Sources { files })
    }

    fn crates(&self) -> Vec<&str> {
        self.files.iter().filter_map(|(n, _)| n.strip_suffix("/Cargo.toml")).collect()
    }

    fn crate_of<'a>(&'a self, file: &str) -> Option<&'a str> {
        self.crates().into_iter().filter(|c| file.starts_with(&format!("{c}/"))).max_by_key(|c| c.len())
    }
}

/// Checks everything; one failure per file and rule.
pub fn run() -> Result<Tally> {
    let src = Sources::read()?;
    let mut tally = Tally::default();
    for (name, text) in &src.files {
        let mut faults = Vec::new();
        every_file(name, text, &mut faults);
        if name.ends_with(".rs") {
            rust_file(&src, name, text, &mut faults);
        }
        if name.ends_with("Cargo.toml") && name != "Cargo.toml" {
            manifest(name, text, &mut faults).with_context(|| format!("cannot read {name}"))?;
        }
        match faults.as_slice() {
            [] => tally.pass(),
            _ => faults.into_iter().for_each(|f| tally.fail(name, f)),
        }
    }
    let root = sh::root();
    for (name, fault) in book::faults(&src.files, |p| root.join(p).exists()) {
        tally.fail(name, fault);
    }
    features::check(&mut tally)?;
    Ok(tally)
}

fn every_file(name: &str, text: &str, faults: &mut Vec<String>) {
    let source = [".rs", ".c", ".h", ".md", ".sh", ".toml"].iter().any(|e| name.ends_with(e));
    let lines = text.lines().count();
    if source && lines > MAX_LINES {
        faults.push(format!("{lines} lines; more than {MAX_LINES} are too many for one idea"));
    }
    // Split so that this file does not find itself.
    let machine =
        [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/tmp/", "target-"), concat!("/tmp/", "brief")];
    for (i, line) in text.lines().enumerate() {
        if let Some(path) = machine.iter().find(|p| mentions_path(line, p)) {
            faults.push(format!("line {}: `{path}` is a path of somebody's machine", i + 1));
        }
        if source && mentions_issue(line) {
            faults.push(format!("line {}: the number of an issue says nothing to a reader", i + 1));
        }
    }
}

/// `path` as an absolute path: not the tail of a longer one.
fn mentions_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "_.-}/*".contains(c))
    })
}

fn mentions_issue(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    lower.match_indices("issue").any(|(at, word)| {
        let rest = lower[at + word.len()..].trim_start_matches(['s', ' ', '#', '/']);
        rest.starts_with(|c: char| c.is_ascii_digit()) && rest.len() < lower.len() - at - word.len()
    })
}

/// The text before the module of unit tests.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap_or(text)
}

fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter(|(_, l)| !l.trim_start().starts_with("//"))
}

fn rust_file(src: &Sources, name: &str, text: &str, faults: &mut Vec<String>) {
    let first = text.lines().find(|l| !l.trim().is_empty() && !l.starts_with("#!["));
    if !first.is_some_and(|l| l.starts_with("//!")) {
        faults.push("does not open with a `//!` paragraph".into());
    }
    for (i, line) in code_lines(text) {
        for word in [concat!("to", "do!("), concat!("unimple", "mented!("), concat!("db", "g!(")] {
            if line.contains(word) {
                faults.push(format!("line {}: `{word})` is left over", i + 1));
            }
        }
    }
    let Some(krate) = src.crate_of(name) else { return };
    let inside = &name[krate.len() + 1..];
    if is_root(inside) && !MAY_BE_UNSAFE.contains(&krate) && !text.contains("#![forbid(unsafe_code)]") {
        faults.push("the crate's root lacks `#![forbid(unsafe_code)]`".into());
    }
    if !inside.starts_with("src/") || inside.ends_with("tests.rs") || inside.contains("/tests/") {
        return;
    }
    for (i, line) in code_lines(without_tests(text)) {
        for (words, crates) in ONLY_IN {
            if let Some(word) = words.iter().find(|w| line.contains(**w))
                && !crates.contains(&krate)
            {
                faults.push(format!("line {}: `{word}` belongs to {} only", i + 1, crates.join(", ")));
            }
        }
    }
}

fn is_root(inside: &str) -> bool {
    inside == "src/lib.rs"
        || inside == "src/main.rs"
        || (inside.starts_with("src/bin/") && Path::new(inside).components().count() == 3)
}

fn allowed(krate: &str) -> Option<BTreeSet<&'static str>> {
    let table: BTreeMap<&str, &[&'static str]> = MAY_DEPEND.iter().copied().collect();
    let mut all = BTreeSet::new();
    let mut open: Vec<&'static str> = table.get(krate)?.to_vec();
    while let Some(c) = open.pop() {
        if all.insert(c) {
            open.extend(*table.get(c)?);
        }
    }
    Some(all)
}

fn folder_of(package: &str) -> Option<&'static str> {
    let short = package.strip_prefix("verify-")?;
    MAY_DEPEND.iter().map(|(c, _)| *c).chain([TOP]).find(|c| c.rsplit('/').next() == Some(short))
}

fn manifest(name: &str, text: &str, faults: &mut Vec<String>) -> Result<()> {
    let krate = name.strip_suffix("/Cargo.toml").unwrap_or_default();
    let value: toml::Table = text.parse()?;
    let Some(dependencies) = value.get("dependencies").and_then(|d| d.as_table()) else { return Ok(()) };
    if krate == TOP || krate.ends_with("/fuzz") {
        return Ok(());
    }
    let Some(allowed) = allowed(krate) else {
        faults.push("the crate has no line in the table of who may depend on whom (xtask/src/tidy.rs)".into());
        return Ok(());
    };
    for dep in dependencies.keys() {
        if let Some(folder) = folder_of(dep)
            && !allowed.contains(folder)
        {
            faults.push(format!("`{krate}` may not depend on `{folder}`"));
        }
        if dep == "llvm-sys" && krate != "ir/lower" {
            faults.push("only ir/lower links LLVM".into());
        }
        if (dep.contains("cadical") || dep.contains("kissat")) && krate != "analysis/solver" {
            faults.push("only analysis/solver links a SAT solver".into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_transitive() {
        let probe = allowed("analysis/probe").unwrap();
        assert!(probe.contains("ir") && probe.contains("analysis/checks"));
        assert!(!probe.contains("ir/lower") && !probe.contains("report"));
        assert_eq!(folder_of("verify-interp"), Some("ir/interp"));
        assert_eq!(folder_of("serde"), None);
    }

    #[test]
    fn issue_numbers_and_machine_paths_are_seen() {
        assert!(mentions_issue(concat!("// see iss", "ue #12")) && mentions_issue(concat!("fixes iss", "ues/7")));
        assert!(!mentions_issue("the issue is 3 bytes long") && !mentions_issue("no issue."));
        assert!(mentions_path("cd /home/x/", "/home/x/"));
        assert!(!mentions_path("net/home/x/", "/home/x/"));
    }
}

//! The programs of c-testsuite (a checkout of it is given): each must end with 0 and print what the suite expects.

use crate::sh::{self, Tools};
use crate::tally::Tally;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Programs that are wrong by the standard: file, the error that must be reported, and why.
const WRONG: &[(&str, &str, &str)] = &[
    ("00141.c", "uninit-read", "adds variables that were never set; their sum is checked for overflow"),
    ("00144.c", "uninit-read", "`i = i ? 0 : 0l` decides on a variable that was never set"),
];

/// All of `DIR/tests/single-exec`.
pub fn run(tools: &Tools, dir: &Path) -> Result<Tally> {
    let dir = dir.join("tests/single-exec");
    let entries = std::fs::read_dir(&dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "c"));
    files.sort();
    if files.is_empty() {
        bail!("no C files in {}", dir.display());
    }
    sh::step(&format!("{} programs of c-testsuite", files.len()));
    let results = sh::in_parallel(&files, |p| one(tools, &dir, p).unwrap_or_else(|e| Err(format!("{e:#}"))));
    let mut tally = Tally::default();
    for (p, r) in files.iter().zip(results) {
        tally.add(&p.file_name().unwrap_or_default().to_string_lossy(), r);
    }
    Ok(tally)
}

fn one(tools: &Tools, dir: &Path, p: &Path) -> Result<Result<(), String>> {
    let mut cmd = tools.verify(dir, ["run", "-w"]);
    cmd.arg(p).arg("--");
    let done = sh::capture(&mut cmd, 120)?;
    let name = p.file_name().unwrap_or_default().to_string_lossy();
    if let Some((_, kind, why)) = WRONG.iter().find(|(n, _, _)| *n == name) {
        let got = crate::e2e::first_error(&done.err()).map(|(k, _, _)| k);
        if done.code == 125 && got.as_deref() == Some(*kind) {
            return Ok(Ok(()));
        }
        return Ok(Err(format!("expected {kind} ({why}), got {got:?} and exit {}", done.code)));
    }
    if done.code != 0 || done.timed_out {
        return Ok(Err(format!("exit {}\n{}", done.code, done.tail())));
    }
    let mut expected = p.as_os_str().to_owned();
    expected.push(".expected");
    let expected = std::fs::read(&expected).unwrap_or_default();
    if done.stdout != expected {
        return Ok(Err(format!("expected:\n{}got:\n{}", String::from_utf8_lossy(&expected), done.out())));
    }
    Ok(Ok(()))
}

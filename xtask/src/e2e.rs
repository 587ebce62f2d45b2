//! The annotated C programs under `tests/`. `tests/checks/<kind>/*.c` are scanned: every finding must stand in a
//! comment `//~ violated[kind]` or `//~ latent[kind]` on its line, and nothing else may be found; `//~ proved[kind]` and
//! `//~ unknown[kind]` say what became of other checks of the line, without `[kind]` of all; `// says: ...` is part of a
//! message. `tests/run/*.c` are
//! executed: `// expect: exit N`, `// expect-out: line`, `// expect-error: kind line`. `tests/projects/*` are built by
//! their Makefile; their annotations are a promise about what a scan must find at least. `tests/verdicts/*.c` are
//! checked: `// check: ...` are the options, `// verdict: ...` is the last line (`UNKNOWN(...)`: for whatever reason), `// says: ...` is part of another, and
//! with `// witness: KIND` the witness of the verdict is written and tried ([`crate::witness`]).
//! `tests/invariants/*.c` name invariants that are found ([`crate::invariants`]).
//!
//! In any of them `// flags: ...` goes to the compiler, `// scan: ...` to the scan, `// args: ...` to the program, and `// run: no` says that an
//! ordinary run does not show the fault (it needs a failing allocation, say). `// slow`: it is left out where all suites run in short.

use crate::sarif::{self, Finding};
use crate::sh::{self, Tools};
use crate::tally::Tally;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Millions of interpreter steps for the scan of one small program.
const SCAN_STEPS: &str = "10";

/// Programs that are named for the time that they took.
const SLOWEST: usize = 20;

/// What a program's comments say.
#[derive(Default, Debug)]
pub struct Notes {
    /// (line, verdict, kind)
    findings: BTreeSet<(u64, String, String)>,
    /// The same for checks that are no findings; without a kind: all of the line.
    decided: BTreeSet<(u64, String, Option<String>)>,
    exit: Option<i32>,
    out: Vec<String>,
    /// (kind, line)
    error: Option<(String, u64)>,
    flags: Vec<String>,
    scan: Vec<String>,
    args: Vec<String>,
    /// Parts of messages.
    says: Vec<String>,
    run: bool,
}

impl Notes {
    /// Reads the comments of a source text.
    pub fn parse(text: &str) -> Result<Notes, String> {
        let mut notes = Notes { run: true, ..Notes::default() };
        for (line, at) in text.lines().zip(1u64..) {
            if let Some((_, rest)) = line.split_once("//~") {
                for word in rest.split_whitespace() {
                    let parsed = word.strip_suffix(']').and_then(|w| w.split_once('['));
                    let (verdict, kind) = parsed.map_or((word, None), |(v, k)| (v, Some(k.to_string())));
                    if matches!(verdict, "proved" | "unknown") {
                        notes.decided.insert((at, verdict.into(), kind));
                        continue;
                    }
                    let Some((verdict @ ("violated" | "latent"), kind)) = parsed else {
                        return Err(format!("line {at}: `{word}` is no annotation"));
                    };
                    notes.findings.insert((at, verdict.into(), kind.into()));
                }
            }
            let words = |rest: &str| rest.split_whitespace().map(String::from).collect::<Vec<_>>();
            let Some(comment) = line.trim_start().strip_prefix("// ") else { continue };
            if let Some(rest) = comment.strip_prefix("expect: exit ") {
                notes.exit = Some(rest.trim().parse().map_err(|_| format!("line {at}: no exit status"))?);
            } else if let Some(rest) = comment.strip_prefix("expect-out: ") {
                notes.out.push(rest.to_string());
            } else if let Some(rest) = comment.strip_prefix("expect-error: ") {
                let (kind, l) = rest.trim().split_once(' ').ok_or(format!("line {at}: kind and line are needed"))?;
                notes.error = Some((kind.into(), l.parse().map_err(|_| format!("line {at}: no line number"))?));
            } else if let Some(rest) = comment.strip_prefix("flags: ") {
                notes.flags = words(rest);
            } else if let Some(rest) = comment.strip_prefix("scan: ") {
                notes.scan = words(rest);
            } else if let Some(rest) = comment.strip_prefix("args: ") {
                notes.args = words(rest);
            } else if let Some(rest) = comment.strip_prefix("says: ") {
                notes.says.push(rest.to_string());
            } else if comment.trim() == "run: no" {
                notes.run = false;
            }
        }
        Ok(notes)
    }
}

/// The C files below a folder, in order.
pub fn c_files(dir: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(dir).sort_by_file_name();
    walk.into_iter()
        .filter_map(Result::ok)
        .map(|e| e.into_path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect()
}

/// Runs everything whose path contains `filter`; `in_short` leaves out what is slow.
pub fn run(tools: &Tools, filter: Option<&str>, in_short: bool) -> Result<Tally> {
    let tests = sh::root().join("tests");
    let slow = |p: &Path| std::fs::read_to_string(p).is_ok_and(|t| t.lines().any(|l| l == "// slow"));
    let wanted = |p: &PathBuf| filter.is_none_or(|f| p.to_string_lossy().contains(f)) && !(in_short && slow(p));
    let tools = tools.with_cache("e2e-cache")?;
    let scratch = sh::scratch("e2e")?;
    let mut tally = Tally::default();

    let runs: Vec<PathBuf> = c_files(&tests.join("run")).into_iter().filter(wanted).collect();
    sh::step(&format!("{} programs to run", runs.len()));
    let results = timed(&tests, &runs, |p| run_program(&tools, p));
    collect(&mut tally, &tests, &runs, results);

    let checks: Vec<PathBuf> = c_files(&tests.join("checks")).into_iter().filter(wanted).collect();
    sh::step(&format!("{} programs to scan", checks.len()));
    let results = timed(&tests, &checks, |p| scan_program(&tools, &scratch, &tests, p));
    collect(&mut tally, &tests, &checks, results);

    let verdicts: Vec<PathBuf> = c_files(&tests.join("verdicts")).into_iter().filter(wanted).collect();
    sh::step(&format!("{} programs with a verdict", verdicts.len()));
    let results = timed(&tests, &verdicts, |p| check_program(&tools, &scratch, p));
    collect(&mut tally, &tests, &verdicts, results);

    let shown: Vec<PathBuf> = c_files(&tests.join("invariants")).into_iter().filter(wanted).collect();
    sh::step(&format!("{} programs with invariants", shown.len()));
    let results = timed(&tests, &shown, |p| crate::invariants::check(&tools, p));
    collect(&mut tally, &tests, &shown, results);

    if filter.is_none_or(|f| "commands".contains(f)) {
        sh::step("commands that print");
        crate::commands::run(&tools, &mut tally)?;
    }

    let mut projects: Vec<PathBuf> = std::fs::read_dir(tests.join("projects"))
        .map(|d| d.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.join("Makefile").is_file()).collect())
        .unwrap_or_default();
    projects.sort();
    projects.retain(wanted);
    for p in projects {
        sh::step(&format!("project {}", p.file_name().unwrap_or_default().to_string_lossy()));
        tally.add(&name_of(&tests, &p), flat(scan_project(&tools, &scratch, &p)));
    }
    Ok(tally)
}

/// Calls `f` on all, in parallel, and says which took longest: what is to be marked `slow` is among these.
fn timed(tests: &Path, all: &[PathBuf], f: impl Fn(&PathBuf) -> Result<(), String> + Sync) -> Vec<Result<(), String>> {
    let results = sh::in_parallel(all, |p| {
        let start = Instant::now();
        (f(p), start.elapsed().as_secs_f64())
    });
    let mut slowest: Vec<(f64, &PathBuf)> = results.iter().zip(all).map(|((_, s), p)| (*s, p)).collect();
    slowest.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (seconds, p) in slowest.iter().take(SLOWEST).filter(|(s, _)| *s >= 5.0) {
        println!("{seconds:5.0} s {}", name_of(tests, p));
    }
    results.into_iter().map(|(r, _)| r).collect()
}

fn collect(tally: &mut Tally, tests: &Path, paths: &[PathBuf], results: Vec<Result<(), String>>) {
    for (p, r) in paths.iter().zip(results) {
        tally.add(&name_of(tests, p), r);
    }
}

fn name_of(tests: &Path, p: &Path) -> String {
    p.strip_prefix(tests).unwrap_or(p).display().to_string()
}

fn flat(r: Result<Result<(), String>>) -> Result<(), String> {
    r.unwrap_or_else(|e| Err(format!("{e:#}")))
}

fn notes_of(p: &Path) -> Result<Notes, String> {
    let text = std::fs::read_to_string(p).map_err(|e| e.to_string())?;
    Notes::parse(&text)
}

/// `verify run` with the flags and arguments of the file's comments.
fn interpret(tools: &Tools, p: &Path, notes: &Notes) -> Result<sh::Done> {
    let dir = p.parent().context("a file has a folder")?;
    let mut cmd = tools.verify(dir, ["run"]);
    cmd.args(&notes.flags).arg(p).arg("--").args(&notes.args);
    sh::capture(&mut cmd, 120)
}

fn run_program(tools: &Tools, p: &Path) -> Result<(), String> {
    let notes = notes_of(p)?;
    let done = interpret(tools, p, &notes).map_err(|e| format!("{e:#}"))?;
    judge_run(p, &notes, &done)
}

fn judge_run(p: &Path, notes: &Notes, done: &sh::Done) -> Result<(), String> {
    if done.timed_out {
        return Err("no end within the limit".into());
    }
    let said = format!("exit {}\n{}{}", done.code, tail(&done.out()), tail(&done.err()));
    if let Some((kind, line)) = &notes.error {
        return expect_error(p, kind, *line, done).map_err(|e| format!("{e}\n{said}"));
    }
    let exit = notes.exit.unwrap_or(0);
    if done.code != exit {
        return Err(format!("expected exit {exit}, got {said}"));
    }
    let expected: String = notes.out.iter().map(|l| format!("{l}\n")).collect();
    if !notes.out.is_empty() && expected != done.out() {
        return Err(format!("expected output:\n{expected}got:\n{}", done.out()));
    }
    Ok(())
}

/// `verify check` with the options of `// check:`; its last line is the one of `// verdict:`.
fn check_program(tools: &Tools, scratch: &Path, p: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(p).map_err(|e| e.to_string())?;
    let comment = |name: &str| text.lines().find_map(|l| l.strip_prefix(name)).map(str::trim);
    let expected = comment("// verdict: ").ok_or("no comment `// verdict: ...`")?;
    let dir = p.parent().ok_or("a file has a folder")?;
    let mut cmd = tools.verify(dir, ["check", "--timeout", "60"]);
    cmd.args(comment("// check: ").unwrap_or_default().split_whitespace());
    let witness = comment("// witness: ")
        .map(|kind| (kind, scratch.join(p.file_name().unwrap_or_default()).with_extension("yml")));
    if let Some((_, file)) = &witness {
        cmd.arg("--witness").arg(file);
    }
    let done = sh::capture(cmd.arg(p), 120).map_err(|e| format!("{e:#}"))?;
    let out = done.out();
    let last = out.lines().last().unwrap_or_default();
    let as_expected = match expected.strip_suffix("(...)") {
        Some(start) => last.starts_with(&format!("VERDICT: {start}(")),
        None => last == format!("VERDICT: {expected}"),
    };
    if !as_expected {
        return Err(format!("expected {expected}, got `{last}` (exit {})\n{}", done.code, tail(&done.err())));
    }
    if let Some(line) = out.lines().find(|l| l.contains("internal inconsistency")) {
        return Err(line.to_string());
    }
    if let Some(says) = comment("// says: ")
        && !out.contains(says)
    {
        return Err(format!("`{says}` is not in\n{out}"));
    }
    witness.map_or(Ok(()), |(kind, file)| crate::witness::check(kind, &file, p))
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(8)..].iter().map(|l| format!("{l}\n")).collect()
}

/// The line `ERROR: kind file:line:column` of a run that ended with 125.
pub fn first_error(stderr: &str) -> Option<(String, String, u64)> {
    let rest = stderr.lines().find_map(|l| l.strip_prefix("ERROR: "))?;
    let (kind, place) = rest.split_once(' ')?;
    let mut parts = place.split_whitespace().next()?.rsplitn(3, ':');
    let _column = parts.next()?;
    let line = parts.next()?.parse().ok()?;
    Some((kind.to_string(), parts.next()?.to_string(), line))
}

fn expect_error(p: &Path, kind: &str, line: u64, done: &sh::Done) -> Result<(), String> {
    if done.code != 125 {
        return Err(format!("expected the error {kind} in line {line} and exit 125, got exit {}", done.code));
    }
    let Some((k, file, l)) = first_error(&done.err()) else {
        return Err("exit 125 without a line `ERROR: kind file:line:column`".into());
    };
    if Path::new(&file).file_name() != p.file_name() || (k.as_str(), l) != (kind, line) {
        return Err(format!("expected {kind} in line {line}, got {k} at {file}:{l}"));
    }
    Ok(())
}

fn scan_program(tools: &Tools, scratch: &Path, tests: &Path, p: &Path) -> Result<(), String> {
    let notes = notes_of(p)?;
    let unique = name_of(tests, p).replace(['/', '.'], "-");
    let dir = scratch.join(unique);
    let log = flat_finding(scan_one(tools, &dir, p, &notes))?;
    compare(&notes, &log, p)?;
    decided(&notes, &dir.join("verify.checks.json"), p)?;
    let sarif = std::fs::read_to_string(dir.join("verify.sarif")).map_err(|e| e.to_string())?;
    if let Some(says) = notes.says.iter().find(|s| !sarif.contains(s.as_str())) {
        return Err(format!("no finding says `{says}`"));
    }
    // What a scan calls violated is an execution; with nothing left to chance an ordinary run shows it too.
    if !notes.run || !has_main(p)? {
        return Ok(());
    }
    let done = interpret(tools, p, &notes).map_err(|e| format!("{e:#}"))?;
    match notes.findings.iter().find(|(_, verdict, _)| verdict == "violated") {
        None if done.code == 125 || done.code == 124 => {
            Err(format!("verify run ends with {}:\n{}", done.code, done.tail()))
        }
        None => Ok(()),
        Some((line, _, kind)) => {
            expect_error(p, kind, *line, &done).map_err(|e| format!("verify run: {e}\n{}", done.tail()))
        }
    }
}

fn flat_finding(r: Result<Result<Vec<Finding>, String>>) -> Result<Vec<Finding>, String> {
    r.unwrap_or_else(|e| Err(format!("{e:#}")))
}

fn has_main(p: &Path) -> Result<bool, String> {
    Ok(std::fs::read_to_string(p).map_err(|e| e.to_string())?.contains("int main("))
}

fn scan_one(tools: &Tools, dir: &Path, p: &Path, notes: &Notes) -> Result<Result<Vec<Finding>, String>> {
    std::fs::create_dir_all(dir)?;
    let file = dir.join(p.file_name().context("a file has a name")?);
    std::fs::copy(p, &file)?;
    let main = has_main(p).unwrap_or(false);
    let mut cc = Command::new(tools.program("verify-cc"));
    cc.arg("-g").args(&notes.flags).arg(file.file_name().context("name")?);
    cc.args(if main { ["-o", "prog"] } else { ["-c", "-w"] });
    cc.current_dir(dir).env("VERIFY_CACHE", &tools.cache);
    let built = sh::capture(&mut cc, 120)?;
    if built.code != 0 {
        return Ok(Err(format!("verify-cc failed with {}:\n{}", built.code, built.tail())));
    }
    let sarif = dir.join("verify.sarif");
    let mut scan = tools.verify(dir, ["scan", "-j", "1", "--steps", SCAN_STEPS, "--output"]);
    scan.arg(&sarif).args(&notes.scan);
    let done = sh::capture(&mut scan, 240)?;
    if done.timed_out || !matches!(done.code, 0 | 1) {
        return Ok(Err(format!("verify scan ended with {}:\n{}", done.code, done.tail())));
    }
    if let Some(line) = done.out().lines().chain(done.err().lines()).find(|l| l.contains("internal inconsistency")) {
        return Ok(Err(line.trim().to_string()));
    }
    let found = sarif::findings(&sarif)?;
    if (done.code == 1) != found.iter().any(|f| f.verdict == "violated") {
        return Ok(Err(format!("exit code {} does not fit the findings {found:?}", done.code)));
    }
    Ok(Ok(found))
}

/// Exactly the annotated findings.
fn compare(notes: &Notes, found: &[Finding], p: &Path) -> Result<(), String> {
    let got: BTreeSet<(u64, String, String)> =
        found.iter().map(|f| (f.line, f.verdict.clone(), f.kind.clone())).collect();
    let mut diff = String::new();
    for (line, verdict, kind) in notes.findings.difference(&got) {
        diff.push_str(&format!("not reported:  {}:{line}: {verdict}[{kind}]\n", p.display()));
    }
    for (line, verdict, kind) in got.difference(&notes.findings) {
        let message = found.iter().find(|f| f.line == *line && f.kind == *kind).map_or("", |f| &f.message);
        diff.push_str(&format!("not annotated: {}:{line}: {verdict}[{kind}] {message}\n", p.display()));
    }
    if diff.is_empty() { Ok(()) } else { Err(diff) }
}

/// The checks that are said to be proved, or unknown, are.
fn decided(notes: &Notes, checks: &Path, p: &Path) -> Result<(), String> {
    if notes.decided.is_empty() {
        return Ok(());
    }
    let text = std::fs::read_to_string(checks).map_err(|e| format!("{}: {e}", checks.display()))?;
    let all: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let name = p.file_name().unwrap_or_default();
    let of_file = |c: &&serde_json::Value| c["file"].as_str().is_some_and(|f| Path::new(f).file_name() == Some(name));
    let all: Vec<_> = all["findings"].as_array().into_iter().flatten().filter(of_file).collect();
    let mut diff = String::new();
    for (line, verdict, kind) in &notes.decided {
        let here = all.iter().filter(|c| c["line"] == *line && kind.as_ref().is_none_or(|k| c["kind"] == *k));
        let here: Vec<_> = here.collect();
        if here.is_empty() {
            diff.push_str(&format!("{}:{line}: there is no such check\n", p.display()));
        }
        for c in here.iter().filter(|c| c["verdict"] != *verdict) {
            diff.push_str(&format!("{}:{line}: {} is {} ({})\n", p.display(), c["kind"], c["verdict"], c["why"]));
        }
    }
    if diff.is_empty() { Ok(()) } else { Err(diff) }
}

/// Copies a folder's files.
pub fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    for entry in walkdir::WalkDir::new(from).sort_by_file_name() {
        let entry = entry?;
        let at = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&at)?;
        } else if entry.file_type().is_file() {
            std::fs::copy(entry.path(), &at)?;
        } else if let Ok(link) = std::fs::read_link(entry.path()) {
            std::os::unix::fs::symlink(link, &at)?;
        }
    }
    Ok(())
}

/// Builds and scans a project; its log is valid and holds every annotated finding.
fn scan_project(tools: &Tools, scratch: &Path, p: &Path) -> Result<Result<(), String>> {
    let name = p.file_name().context("name")?;
    let dir = scratch.join(name);
    copy_tree(p, &dir)?;
    let mut make = Command::new("make");
    make.arg("-j2").arg(format!("CC={}", tools.program("verify-cc").display())).current_dir(&dir);
    make.env("VERIFY_CACHE", &tools.cache).env_remove("MAKEFLAGS");
    sh::quiet(&mut make, 120)?;
    let sarif = dir.join("verify.sarif");
    let done = sh::capture(&mut tools.verify(&dir, ["scan"]), 600)?;
    if !sarif.is_file() {
        return Ok(Err(format!("verify scan ended with {} and wrote no verify.sarif:\n{}", done.code, done.tail())));
    }
    sarif::validate(&sarif)?;
    let found = sarif::findings(&sarif)?;
    let mut faults = String::new();
    let mut promised = 0;
    for file in c_files(&dir) {
        let notes = match notes_of(&file) {
            Ok(notes) => notes,
            Err(e) => return Ok(Err(e)),
        };
        if let Err(e) = decided(&notes, &dir.join("verify.checks.json"), &file) {
            faults.push_str(&e);
        }
        let relative = file.strip_prefix(&dir)?.display().to_string();
        for (line, verdict, kind) in &notes.findings {
            promised += 1;
            let hit = |f: &&Finding| f.file == relative && f.line == *line && f.kind == *kind && f.verdict == *verdict;
            if !found.iter().any(|f| hit(&f)) {
                faults.push_str(&format!("not reported: {relative}:{line}: {verdict}[{kind}]\n"));
            }
        }
        // Whatever else is called violated must at least not be in a line that claims to be right.
        let text = std::fs::read_to_string(&file)?;
        for f in found.iter().filter(|f| f.file == relative && f.verdict == "violated") {
            let line = text.lines().nth(f.line as usize - 1).unwrap_or_default();
            if !line.contains("//~") {
                faults.push_str(&format!("not annotated: {relative}:{}: {} {}\n", f.line, f.kind, f.message));
            }
        }
    }
    println!("{}: {} findings, {promised} promised", name.to_string_lossy(), found.len());
    Ok(if faults.is_empty() { Ok(()) } else { Err(faults) })
}

/// Is what the programs under `tests/run` expect what gcc and clang make of them?
pub fn native() -> Result<Tally> {
    let tests = sh::root().join("tests");
    let scratch = sh::scratch("native")?;
    let files = c_files(&tests.join("run"));
    let compilers: [(&str, &str); 4] = [("gcc", "-O0"), ("gcc", "-O2"), ("clang-19", "-O0"), ("clang-19", "-O2")];
    let results = sh::in_parallel(&files, |p| -> Result<(), String> {
        let notes = notes_of(p)?;
        if notes.error.is_some() {
            return Ok(()); // undefined: compilers need not agree
        }
        for (cc, level) in compilers {
            if cc == "gcc" && std::fs::read_to_string(p).is_ok_and(|t| t.contains("// native: clang")) {
                continue;
            }
            let exe = scratch.join(format!("{}-{cc}{level}", name_of(&tests, p).replace('/', "-")));
            let mut c = Command::new(cc);
            c.args(["-w", level]).args(&notes.flags).arg(p).arg("-o").arg(&exe).args(["-lm", "-latomic"]);
            let built = sh::capture(&mut c, 60).map_err(|e| format!("{e:#}"))?;
            if built.code != 0 {
                return Err(format!("{cc} {level}: {}", built.tail()));
            }
            let done = sh::capture(Command::new(&exe).args(&notes.args), 20).map_err(|e| format!("{e:#}"))?;
            judge_run(p, &notes, &done).map_err(|e| format!("{cc} {level}: {e}"))?;
        }
        Ok(())
    });
    let mut tally = Tally::default();
    collect(&mut tally, &tests, &files, results);
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_read() {
        let text = "// flags: -O2 -DX=1\n// expect: exit 3\n// expect-out: a b\nint x; //~ violated[null-deref] latent[leak]\n";
        let n = Notes::parse(text).unwrap();
        assert_eq!(n.flags, ["-O2", "-DX=1"]);
        assert_eq!((n.exit, n.out.as_slice()), (Some(3), &["a b".to_string()][..]));
        assert!(n.findings.contains(&(4, "violated".into(), "null-deref".into())));
        assert!(n.findings.contains(&(4, "latent".into(), "leak".into())));
        assert!(Notes::parse("x //~ violates[y]").is_err());
        let n = Notes::parse("x //~ proved unknown[leak]").unwrap();
        assert!(n.decided.contains(&(1, "proved".into(), None)));
        assert!(n.decided.contains(&(1, "unknown".into(), Some("leak".into()))));
    }

    #[test]
    fn the_error_line_is_read() {
        let e = first_error("noise\nERROR: use-after-free dir/a.c:12:7\n  trace").unwrap();
        assert_eq!(e, ("use-after-free".into(), "dir/a.c".into(), 12));
    }
}

//! Old bugs whose fixing commit is known: the commit before the fix is built with `verify-cc` and scanned, and so is the
//! fix. A bug counts as found when a finding close to what the fix changes is there before it and not behind it.
//!
//! The suite is a JSON file beside clones of the repositories; nothing here knows any of them:
//!
//! ```json
//! {"fixes": [{"name": "CVE-2016-10749", "repository": "cJSON", "commit": "94df772", "build": "$CC -g -c cJSON.c"}]}
//! ```
//!
//! `"paths": ["lib"]` takes only these from the repository.
//!
//! Close is: in a file that the fix changes, at most [`NEAR`] lines from a changed one, with the place reported or one that the
//! report refers to (where the memory was freed, say). Findings are the same when kind, file and the text of the line are, and
//! whether they need a text without an end. Whether what is gone is the bug itself, a reader of the table has to judge.

use crate::row;
use crate::sarif::{self, Finding};
use crate::sh::{self, Tools};
use crate::tally::{Tally, table};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines between a change and a finding that belongs to it.
const NEAR: u64 = 60;

const USAGE: &str = "usage: cargo xtask fixes SUITE.json CLONES [--only NAME] [--timeout SECONDS]";

/// The command line.
pub struct Options {
    suite: PathBuf,
    clones: PathBuf,
    only: Option<String>,
    timeout: u64,
}

impl Options {
    /// Reads `SUITE.json CLONES [--only NAME] [--timeout SECONDS]`.
    pub fn parse(args: &[String]) -> Result<Options> {
        let mut paths = Vec::new();
        let (mut only, mut timeout) = (None, 150);
        let mut it = args.iter();
        while let Some(a) = it.next() {
            match a.as_str() {
                "--only" => only = Some(it.next().context("`--only` needs a name")?.clone()),
                "--timeout" => {
                    timeout = it.next().and_then(|v| v.parse().ok()).context("`--timeout` needs a number")?;
                }
                option if option.starts_with('-') => bail!("there is no option `{option}`\n{USAGE}"),
                path => paths.push(PathBuf::from(path)),
            }
        }
        let Ok([suite, clones]) = <[PathBuf; 2]>::try_from(paths) else { bail!("{USAGE}") };
        Ok(Options { suite, clones, only, timeout })
    }
}

struct Fix {
    name: String,
    repository: String,
    commit: String,
    build: String,
    paths: Vec<String>,
}

fn suite(path: &Path) -> Result<Vec<Fix>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let all: Value = serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))?;
    let fixes = all["fixes"].as_array().with_context(|| format!("{} has no \"fixes\"", path.display()))?;
    let read = |f: &Value| {
        let text =
            |key: &str| f[key].as_str().map(str::to_string).with_context(|| format!("a fix without \"{key}\": {f}"));
        let paths = f["paths"].as_array().into_iter().flatten().filter_map(|p| Some(p.as_str()?.into())).collect();
        Ok(Fix {
            name: text("name")?,
            repository: text("repository")?,
            commit: text("commit")?,
            build: text("build")?,
            paths,
        })
    };
    fixes.iter().map(read).collect()
}

/// Scans them.
pub fn run(tools: &Tools, options: &Options) -> Result<Tally> {
    let tools = tools.with_cache("fixes-cache")?;
    let base = sh::scratch("fixes")?;
    let mut rows = vec![row!["bug", "before the fix", "findings", "seconds"]];
    let (mut found, mut all) = (0, 0);
    let mut tally = Tally::default();
    for fix in suite(&options.suite)? {
        if options.only.as_ref().is_some_and(|o| !fix.name.contains(o.as_str())) {
            continue;
        }
        match one(&tools, options, &base.join(&fix.name), &fix) {
            Ok(said) => {
                all += 1;
                found += u32::from(said.first.is_some());
                let first = said.first.as_ref();
                let text = first.map(|f| format!("{}:{}: {} {}", f.file, f.line, f.verdict, f.kind));
                println!("{}: {}", fix.name, first.map_or("not found", |f| f.message.as_str()));
                rows.push(row![
                    fix.name,
                    text.unwrap_or_else(|| "no".into()),
                    format!("{} and {}", said.counts[0], said.counts[1]),
                    said.seconds
                ]);
                tally.pass();
            }
            Err(e) => tally.fail(&fix.name, format!("{e:#}")),
        }
    }
    println!("\n{}", table(&rows));
    println!("{found} of {all} reported before the fix and not behind it");
    Ok(tally)
}

struct Said {
    /// The first finding that the fix removes.
    first: Option<Finding>,
    counts: [usize; 2],
    seconds: u64,
}

fn one(tools: &Tools, options: &Options, dir: &Path, fix: &Fix) -> Result<Said> {
    let clone = [options.clones.join(&fix.repository), options.clones.join(&fix.repository).join("repo")];
    let clone = clone.iter().find(|c| c.join("HEAD").is_file() || c.join(".git").exists());
    let clone = clone.with_context(|| format!("no clone {} in {}", fix.repository, options.clones.display()))?;
    let start = std::time::Instant::now();
    let mut both = Vec::new();
    for (name, commit) in [("old", format!("{}^", fix.commit)), ("new", fix.commit.clone())] {
        let dir = dir.join(name);
        std::fs::create_dir_all(&dir)?;
        let script = "git -C \"$0\" archive \"${@:2}\" | tar x -C \"$1\"";
        let mut c = Command::new("bash");
        c.args(["-o", "pipefail", "-c", script]).arg(clone).arg(&dir).arg(&commit).args(&fix.paths);
        sh::must(&mut c)?;
        let mut c = Command::new("sh");
        c.args(["-e", "-c", &fix.build]).current_dir(&dir);
        c.env("CC", tools.program("verify-cc")).env("VERIFY_CACHE", &tools.cache);
        let done = sh::capture(&mut c, 300)?;
        ensure!(done.code == 0, "{commit} does not build: {}", done.tail());
        let timeout = options.timeout.to_string();
        let args = ["scan", "--quiet", "--timeout", &timeout, "-o", "verify.sarif"];
        let done = sh::capture(&mut tools.verify(&dir, args), options.timeout + 120)?;
        let log = dir.join("verify.sarif");
        ensure!(log.is_file(), "the scan of {commit} wrote no log: exit {}\n{}", done.code, done.tail());
        both.push((sarif::findings(&log)?, dir));
    }
    let mut c = Command::new("git");
    c.arg("-C").arg(clone).args(["show", "-U0", "--format=", &fix.commit, "--", "*.c", "*.h"]);
    let done = sh::capture(&mut c, 60)?;
    let changed = changes(&done.out());
    let endless = |f: &Finding| f.message.contains("memchr(");
    let key = |f: &Finding, dir: &Path| (f.file.clone(), f.kind.clone(), line(dir, f), endless(f));
    let behind: BTreeSet<_> = both[1].0.iter().map(|f| key(f, &both[1].1)).collect();
    let is_near = |at: &str, line: u64| {
        let of_file = changed.iter().filter(|(file, _)| at.ends_with(file.as_str()));
        of_file.flat_map(|(_, lines)| lines).any(|(a, z)| (a.saturating_sub(NEAR)..=z + NEAR).contains(&line))
    };
    let close = |f: &&Finding| is_near(&f.file, f.line) || f.related.iter().any(|(at, line)| is_near(at, *line));
    let gone: Vec<&Finding> =
        both[0].0.iter().filter(close).filter(|f| !behind.contains(&key(f, &both[0].1))).collect();
    Ok(Said {
        first: gone.first().map(|f| (*f).clone()),
        counts: [both[0].0.len(), both[1].0.len()],
        seconds: start.elapsed().as_secs(),
    })
}

/// The line of source that a finding is at.
fn line(dir: &Path, f: &Finding) -> String {
    let text = std::fs::read(dir.join(&f.file)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().nth(f.line.saturating_sub(1) as usize).unwrap_or_default().trim().to_string()
}

/// Files of a patch, and the ranges of lines that it changes in the old version.
fn changes(patch: &str) -> BTreeMap<String, Vec<(u64, u64)>> {
    let mut all: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
    let mut file = String::new();
    for l in patch.lines() {
        if let Some(name) = l.strip_prefix("--- a/") {
            file = name.to_string();
        } else if let Some(rest) = l.strip_prefix("@@ -") {
            let old = rest.split(' ').next().unwrap_or_default();
            let (start, count) = old.split_once(',').unwrap_or((old, "1"));
            let (Ok(start), Ok(count)) = (start.parse::<u64>(), count.parse::<u64>()) else { continue };
            all.entry(file.clone()).or_default().push((start, start + count));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_of_a_patch() {
        let patch = "--- a/x/a.c\n+++ b/x/a.c\n@@ -3 +3,2 @@ f\n-a\n+b\n@@ -10,0 +12 @@\n--- /dev/null\n";
        assert_eq!(changes(patch), BTreeMap::from([("x/a.c".to_string(), vec![(3, 4), (10, 10)])]));
    }

    #[test]
    fn suites_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("s.json");
        std::fs::write(&file, r#"{"fixes": [{"name": "a", "repository": "r", "commit": "c", "build": "make"}]}"#)
            .unwrap();
        assert_eq!(suite(&file).unwrap().len(), 1);
        std::fs::write(&file, r#"{"fixes": [{"name": "a"}]}"#).unwrap();
        assert!(suite(&file).is_err());
    }
}

//! A suite of small programs of which it is known whether they have a flaw, and which: each is built with `verify-cc` and
//! scanned; a table by group says how many flawed ones were reported with a fitting kind, and how many of the clean ones,
//! and what of the latter a run under sanitizers (`verify replay`) confirms.
//!
//! The suite is a JSON file that the user makes for the programs at hand; nothing here knows any of them:
//!
//! ```json
//! {"programs": [{"name": "overflow-1", "group": "CWE-121", "flawed": true, "kinds": ["out-of-bounds-write"],
//!                "sources": ["/suite/overflow-1.c"], "flags": ["-DBAD"], "libraries": ["-lm"], "scan": []}]}
//! ```

use crate::row;
use crate::sh::{self, Rng, Tools};
use crate::tally::{Tally, table};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The command line.
pub struct Options {
    suite: PathBuf,
    per_group: usize,
    seed: u64,
    timeout: u64,
    each: bool,
}

const USAGE: &str = "usage: cargo xtask flaws SUITE.json [--per-group N] [--seed S] [--timeout SECONDS] [--each]";

impl Options {
    /// Reads `SUITE.json [--per-group N] [--seed S] [--timeout SECONDS] [--each]`.
    pub fn parse(args: &[String]) -> Result<Options> {
        let mut o = Options { suite: PathBuf::new(), per_group: usize::MAX, seed: 1, timeout: 60, each: false };
        let mut it = args.iter();
        while let Some(a) = it.next() {
            let mut number = || -> Result<u64> {
                it.next().and_then(|v| v.parse().ok()).with_context(|| format!("`{a}` needs a number"))
            };
            match a.as_str() {
                "--per-group" => o.per_group = number()? as usize,
                "--seed" => o.seed = number()?,
                "--timeout" => o.timeout = number()?,
                "--each" => o.each = true,
                option if option.starts_with('-') => bail!("there is no option `{option}`\n{USAGE}"),
                _ if !o.suite.as_os_str().is_empty() => bail!("`{a}`: the suite is given already\n{USAGE}"),
                _ => o.suite = a.into(),
            }
        }
        if o.suite.as_os_str().is_empty() {
            bail!("{USAGE}");
        }
        Ok(o)
    }
}

/// A program of the suite.
struct Program {
    name: String,
    group: String,
    flawed: bool,
    kinds: Vec<String>,
    sources: Vec<String>,
    flags: Vec<String>,
    libraries: Vec<String>,
    scan: Vec<String>,
}

/// What a scan said of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    /// A finding of a fitting kind, which a run under sanitizers confirms.
    Confirmed,
    /// One that it does not.
    Violated,
    /// Findings of other kinds only.
    Other,
    Unknown,
    /// Every check of a fitting kind is proved.
    Proved,
    /// It could not be built or scanned.
    Failed,
}

fn read(path: &Path) -> Result<Vec<Program>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let suite: Value = serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))?;
    let words = |v: &Value| -> Vec<String> {
        v.as_array().into_iter().flatten().filter_map(|w| Some(w.as_str()?.to_string())).collect()
    };
    let list = suite["programs"].as_array().with_context(|| format!("{}: no `programs`", path.display()))?;
    list.iter()
        .map(|p| {
            let text =
                |key: &str| p[key].as_str().map(String::from).with_context(|| format!("a program has no `{key}`"));
            Ok(Program {
                name: text("name")?,
                group: text("group")?,
                flawed: p["flawed"].as_bool().context("a program does not say whether it is `flawed`")?,
                kinds: words(&p["kinds"]),
                sources: words(&p["sources"]),
                flags: words(&p["flags"]),
                libraries: words(&p["libraries"]),
                scan: words(&p["scan"]),
            })
        })
        .collect()
}

/// A sample of the suite.
pub fn run(tools: &Tools, o: &Options) -> Result<Tally> {
    let mut groups: BTreeMap<(String, bool), Vec<Program>> = BTreeMap::new();
    for p in read(&o.suite)? {
        groups.entry((p.group.clone(), p.flawed)).or_default().push(p);
    }
    let mut chosen: Vec<Program> = Vec::new();
    for ((group, _), mut all) in groups {
        // The flawed and the clean ones of a group are drawn alike.
        let mut rng = Rng(o.seed ^ group.bytes().fold(0, |h: u64, b| h.wrapping_mul(31).wrapping_add(u64::from(b))));
        all.sort_by(|a, b| a.name.cmp(&b.name));
        for _ in 0..o.per_group.min(all.len()) {
            let at = rng.below(all.len());
            chosen.push(all.swap_remove(at));
        }
    }
    sh::step(&format!("{} programs", chosen.len()));
    let tools = tools.with_cache("flaws-cache")?;
    let scratch = sh::scratch("flaws")?;
    let said = sh::in_parallel(&chosen, |p| {
        let dir = scratch.join(format!("{}-{}", p.name, if p.flawed { "flawed" } else { "clean" }));
        one(&tools, &dir, p, o).unwrap_or_else(|e| (Said::Failed, format!("{e:#}")))
    });
    let mut tally = Tally::default();
    let mut counts: BTreeMap<&str, BTreeMap<(bool, Said), usize>> = BTreeMap::new();
    for (p, (said, why)) in chosen.iter().zip(&said) {
        *counts.entry(&p.group).or_default().entry((p.flawed, *said)).or_default() += 1;
        let name = format!("{} ({})", p.name, if p.flawed { "flawed" } else { "clean" });
        match (p.flawed, said) {
            (_, Said::Failed) => tally.fail(name, why.clone()),
            // A flaw that is not found is a matter of the table; a wrong word is a failure.
            (true, Said::Proved) => tally.fail(name, "the flaw is proved not to be there"),
            (false, Said::Violated) => tally.fail(name, format!("not confirmed: {why}")),
            _ => tally.pass(),
        }
        if o.each {
            println!("{} {}: {why}", if p.flawed { "flawed" } else { "clean " }, p.name);
        }
    }
    let mut rows = vec![row![
        "group",
        "flawed",
        "violated",
        "other kind",
        "unknown",
        "proved",
        "clean",
        "violated",
        "of these confirmed"
    ]];
    let mut sum = [0usize; 8];
    for (group, c) in &counts {
        let n = |flawed: bool, said: &[Said]| -> usize { said.iter().filter_map(|s| c.get(&(flawed, *s))).sum() };
        let all = |flawed: bool| c.iter().filter(|((f, _), _)| *f == flawed).map(|(_, n)| n).sum::<usize>();
        let found = [Said::Confirmed, Said::Violated];
        let cells = [
            all(true),
            n(true, &found),
            n(true, &[Said::Other]),
            n(true, &[Said::Unknown]),
            n(true, &[Said::Proved]),
            all(false),
            n(false, &found),
            n(false, &[Said::Confirmed]),
        ];
        sum.iter_mut().zip(cells).for_each(|(s, c)| *s += c);
        rows.push(std::iter::once((*group).to_string()).chain(cells.iter().map(usize::to_string)).collect());
    }
    rows.push(std::iter::once("all".to_string()).chain(sum.iter().map(usize::to_string)).collect());
    println!("\n{}", table(&rows));
    Ok(tally)
}

fn one(tools: &Tools, dir: &Path, p: &Program, o: &Options) -> Result<(Said, String)> {
    std::fs::create_dir_all(dir)?;
    let mut cc = Command::new(tools.program("verify-cc"));
    cc.args(["-g", "-w"]).args(&p.flags).args(&p.sources).args(["-o", "program"]).args(&p.libraries);
    cc.current_dir(dir).env("VERIFY_CACHE", &tools.cache);
    let built = sh::capture(&mut cc, 120)?;
    if built.code != 0 {
        bail!("not built: {}", built.tail());
    }
    let seconds = o.timeout.to_string();
    let mut scan =
        tools.verify(dir, ["scan", "-q", "-j", "1", "--format", "json", "--sarif-all", "--timeout", &seconds]);
    scan.args(&p.scan);
    let done = sh::capture(&mut scan, o.timeout * 3 + 60)?;
    if done.timed_out || done.code > 2 {
        bail!("not scanned: exit code {}\n{}", done.code, done.tail());
    }
    let scan: Value = serde_json::from_slice(&done.stdout).context("the scan wrote no JSON")?;
    let findings: Vec<&Value> = scan["findings"].as_array().into_iter().flatten().collect();
    let is = |f: &Value, verdict: &str| f["verdict"].as_str() == Some(verdict);
    let fits = |f: &Value| p.kinds.iter().any(|k| f["kind"].as_str() == Some(k));
    let place = |f: &Value| {
        let file = f["file"].as_str().unwrap_or_default().rsplit('/').next().unwrap_or_default().to_string();
        format!("{}@{file}:{}", f["kind"].as_str().unwrap_or_default(), f["line"])
    };
    let violated: Vec<&Value> = findings.iter().copied().filter(|f| is(f, "violated")).collect();
    let why = violated.iter().map(|f| place(f)).collect::<Vec<_>>().join(", ");
    let fitting: Vec<&&Value> = violated.iter().filter(|f| fits(f)).collect();
    if fitting.is_empty() {
        if !violated.is_empty() {
            return Ok((Said::Other, why));
        }
        let open = findings.iter().any(|f| fits(f) && !is(f, "proved") && !is(f, "unreachable"));
        let any = findings.iter().any(|f| fits(f) && is(f, "proved"));
        return Ok(if any && !open { (Said::Proved, why) } else { (Said::Unknown, why) });
    }
    // Of flawed programs the suite's word is enough; of clean ones a run decides.
    if p.flawed {
        return Ok((Said::Violated, why));
    }
    for f in fitting {
        let id = f["id"].as_str().context("a finding has no id")?;
        let replay = sh::capture(&mut tools.verify(dir, ["replay", id]), 300)?;
        if replay.code != 0 {
            return Ok((Said::Violated, format!("{}: {}", place(f), replay.out().lines().last().unwrap_or_default())));
        }
    }
    Ok((Said::Confirmed, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let of = |text: &str| Options::parse(&text.split(' ').map(String::from).collect::<Vec<_>>());
        let o = of("--seed 3 suite.json --each").unwrap();
        assert_eq!((o.seed, o.each, o.suite), (3, true, PathBuf::from("suite.json")));
        let refused = |text: &str, why: &str| {
            let said = of(text).err().map(|e| e.to_string()).unwrap_or_default();
            assert!(said.contains(why), "{text}: {said}");
        };
        refused("suite.json --typo", "no option `--typo`");
        refused("a.json b.json", "`b.json`");
        refused("--each", "usage:");
        refused("suite.json --seed x", "needs a number");
    }
}

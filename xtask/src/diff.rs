//! `verify diff` from outside: the pairs under `tests/diff`, mutants of the programs under `tests/run`, and a folder of
//! pairs with a recorded truth (EqBench's form: `.../Eq/old*.c`, `.../Neq/new*.c`).
//!
//! `// diff: NAME equal|changed|unknown|not-equal|nothing` in a pair's `new.c` is what must be said of a function
//! (`differs` of a variable or second name), and
//! `// diff: NAME VERDICT by TEXT` that the reason contains the text; `// diff-options: ...` are options of the command,
//! with `DIR` for the pair's folder; `// diff-slow: NAME` is left to the long form.

mod edits;
mod ways;

pub use edits::Edits;

use crate::e2e;
use crate::sh::{self, Tools};
use crate::tally::{Tally, table};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Inputs by which functions said to be equal are attacked.
const ATTACK: &str = "300";
/// Seconds for a pair.
const LIMIT: u64 = 120;
/// The same for a pair of the suite, which may run beside other work: it has budgets of its own.
const ATTACKED_LIMIT: u64 = 600;

struct Said {
    name: String,
    verdict: String,
    how: String,
    root: bool,
    /// The code differs.
    differs: bool,
}

fn compare(
    tools: &Tools,
    old: &Path,
    new: &Path,
    attack: bool,
    options: &[String],
) -> Result<Result<Vec<Said>, String>> {
    let mut c = Command::new(tools.program("verify"));
    c.args(["diff", "--quiet", "-j1", "--format", "json"]).env("VERIFY_CACHE", &tools.cache);
    if attack {
        c.args(["--attack", ATTACK]);
    }
    // Programs of the suite include what lies beside them.
    c.arg("-I").arg(sh::root().join("tests/run"));
    c.args(options).args([old, new]);
    let done = sh::capture(&mut c, if attack { ATTACKED_LIMIT } else { LIMIT })?;
    if done.timed_out {
        return Ok(Err("time".into()));
    }
    if done.code > 2 {
        return Ok(Err(format!("exit {}: {}", done.code, done.tail())));
    }
    let v: serde_json::Value = serde_json::from_slice(&done.stdout).context("the JSON of verify diff")?;
    let text = |f: &serde_json::Value, k: &str| f[k].as_str().unwrap_or_default().to_string();
    let functions = v["functions"].as_array().context("no `functions`")?;
    let all: Vec<Said> = functions
        .iter()
        .map(|f| Said {
            name: text(f, "name"),
            verdict: text(f, "verdict"),
            how: text(f, "how"),
            root: f["root"].as_bool().unwrap_or(true),
            differs: f["code_differs"].as_bool().unwrap_or(true),
        })
        .collect();
    let some = |k: &str| v[k].as_array().is_some_and(|r| !r.is_empty());
    let differs = all.iter().any(|f| f.verdict != "equal") || some("removed") || some("symbols");
    if (done.code == 1) != differs {
        return Ok(Err(format!("exit {} does not fit the verdicts", done.code)));
    }
    // What is no function.
    let mut all = all;
    for s in v["symbols"].as_array().into_iter().flatten() {
        let (name, how) = (text(s, "name"), text(s, "difference"));
        all.push(Said { name, verdict: "differs".into(), how, root: false, differs: true });
    }
    Ok(Ok(all))
}

/// The pairs under `tests/diff`; `short` leaves out the functions that `// diff-slow: NAME` names.
pub fn pairs(tools: &Tools, short: bool) -> Result<Tally> {
    let mut tally = Tally::default();
    let dir = sh::root().join("tests/diff");
    ways::run(tools, &mut tally)?;
    for new in e2e::c_files(&dir).into_iter().filter(|f| f.ends_with("new.c")) {
        let old = new.with_file_name("old.c");
        let name = new.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&new)?;
        let folder = new.parent().unwrap_or(&dir).display().to_string();
        let after = |what: &'static str| text.lines().filter_map(move |l| l.trim().strip_prefix(what));
        let wanted: Vec<(&str, &str)> = match after("// diff: ").map(|l| l.split_once(' ').ok_or(l)).collect() {
            Ok(w) => w,
            Err(line) => bail!("{name}: `{line}` says nothing"),
        };
        let slow: Vec<&str> = after("// diff-slow: ").filter(|_| short).collect();
        let wanted: Vec<(&str, &str)> = wanted.into_iter().filter(|(f, _)| !slow.contains(f)).collect();
        let mut options: Vec<String> =
            after("// diff-options: ").flat_map(|l| l.split_whitespace().map(|w| w.replace("DIR", &folder))).collect();
        if !slow.is_empty() {
            let names: Vec<&str> = wanted.iter().map(|(f, _)| *f).collect();
            options.extend(["--functions".into(), names.join("|")]);
        }
        let said = match compare(tools, &old, &new, true, &options)? {
            Ok(s) => s,
            Err(why) => {
                tally.fail(name, why);
                continue;
            }
        };
        for (f, want) in wanted {
            let (want, reason) = want.split_once(" by ").unwrap_or((want, ""));
            let got = said.iter().find(|s| s.name == f);
            let verdict = got.map_or("nothing", |s| s.verdict.as_str());
            let how = got.map_or("", |s| s.how.as_str());
            let fits = if want == "not-equal" { matches!(verdict, "changed" | "unknown") } else { verdict == want };
            let fits = fits && how.contains(reason);
            let result = if fits { Ok(()) } else { Err(format!("{verdict} ({how}), not {want}")) };
            tally.add(&format!("{name}: {f}"), result);
        }
    }
    Ok(tally)
}

/// Pairs with a recorded truth: each with what is said of it, then a table.
pub fn bench(tools: &Tools, dir: &Path) -> Result<()> {
    let mut rows: BTreeMap<(String, String), u64> = BTreeMap::new();
    let mut hows: BTreeMap<String, u64> = BTreeMap::new();
    let start = Instant::now();
    let mut decided = 0;
    let mut all = 0;
    for new in e2e::c_files(dir) {
        let file = new.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !file.starts_with("new") {
            continue;
        }
        let old = new.with_file_name(file.replacen("new", "old", 1));
        let truth = new.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        if !old.exists() || !matches!(truth.as_str(), "Eq" | "Neq") {
            continue;
        }
        let one = Instant::now();
        let (verdict, how) = match compare(tools, &old, &new, false, &[])? {
            Err(why) => (why.split(':').next().unwrap_or_default().to_string(), String::new()),
            Ok(said) => {
                let roots: Vec<&Said> = said.iter().filter(|s| s.root).collect();
                let v = ["changed", "unknown"].into_iter().find(|v| roots.iter().any(|s| s.verdict == *v));
                let v = v.unwrap_or(if roots.is_empty() { "nothing" } else { "equal" });
                (v.to_string(), roots.iter().find(|s| s.verdict == v).map_or_else(String::new, |s| s.how.clone()))
            }
        };
        all += 1;
        decided += u64::from(matches!(verdict.as_str(), "equal" | "changed"));
        let shown = new.strip_prefix(dir).unwrap_or(&new).display().to_string();
        let contradicts = matches!((truth.as_str(), verdict.as_str()), ("Neq", "equal") | ("Eq", "changed"));
        let mark = if contradicts { "CONTRADICTS " } else { "" };
        println!("{all} {mark}{shown}: {verdict} ({how}), {:.1} s", one.elapsed().as_secs_f64());
        std::io::stdout().flush()?;
        if verdict == "equal" {
            *hows.entry(how).or_default() += 1;
        }
        *rows.entry((truth, verdict)).or_default() += 1;
    }
    let mut lines = vec![["recorded", "verdict", "pairs"].map(String::from).to_vec()];
    lines.extend(rows.iter().map(|((t, v), n)| vec![t.clone(), v.clone(), n.to_string()]));
    println!("{}", table(&lines));
    println!("equal by: {hows:?}");
    println!("{decided} of {all} decided in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

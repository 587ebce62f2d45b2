//! `verify check` on collections of verification tasks that the user has: the regression tests of 2LS and CBMC
//! and ESBMC
//! (`test.desc`), Predator's (`.err`), SMACK's annotated programs (`@expect`), task definitions of SV-COMP (`.yml`) and its old
//! names of files (`_true-termination.c`). What the tasks expect is theirs; a verdict against it is wrong, whoever is to blame, and listed.

mod desc;
mod esbmc;
mod named;
mod predator;
pub mod smack;
mod svcomp;

use crate::row;
use crate::sh::{self, Tools};
use crate::tally::table;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a task says about its program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// The properties hold.
    True,
    /// One fails; which, where the task says so.
    False(Option<String>),
    /// The task does not say (its own tool cannot decide it).
    Open,
}

/// A program and a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Folder and name, for people.
    pub name: String,
    /// Group in the table: the level of a regression test, the expectation or property of others.
    pub class: String,
    /// What the task says.
    pub expected: Expected,
    /// Options of `verify check`, sources last.
    pub arguments: Vec<String>,
    /// Why it is not run: it asks something else than what a C program does.
    pub skip: Option<String>,
}

/// Options of the command.
#[derive(Clone)]
pub struct Options {
    /// Folders.
    pub folders: Vec<PathBuf>,
    /// Seconds for each task.
    pub timeout: u64,
    /// Tasks at a time.
    pub jobs: usize,
    /// One line per task.
    pub each: bool,
    /// `verify check --mode`; several with commas between them are compared.
    pub mode: String,
}

const USAGE: &str = "usage: cargo xtask verdicts DIR... [--mode M] [--timeout SECONDS] [--jobs N] [--each]";

impl Options {
    /// Reads the command line.
    pub fn parse(args: &[String]) -> Result<Options> {
        let mode = "kiki".to_string();
        let mut o = Options { folders: Vec::new(), timeout: 60, jobs: 0, each: false, mode };
        let mut it = args.iter();
        while let Some(a) = it.next() {
            let mut number = || -> Result<u64> {
                let v = it.next().with_context(|| format!("`{a}` needs a number\n{USAGE}"))?;
                v.parse().ok().filter(|n| *n > 0).with_context(|| format!("`{a}` needs a number, not `{v}`"))
            };
            match a.as_str() {
                "--timeout" => o.timeout = number()?,
                "--jobs" => o.jobs = number()? as usize,
                "--each" => o.each = true,
                "--mode" => o.mode = it.next().cloned().with_context(|| format!("`--mode` needs a name\n{USAGE}"))?,
                _ if a.starts_with('-') => bail!("no option `{a}`\n{USAGE}"),
                _ => o.folders.push(std::path::absolute(a)?),
            }
        }
        if o.folders.is_empty() {
            bail!("{USAGE}");
        }
        Ok(o)
    }
}

/// What `verify check` said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    True,
    /// With the sub-property.
    False(String),
    /// With the reason.
    Unknown(String),
    /// No verdict: with what it said instead.
    Nothing(String),
}

/// How an answer stands to what is expected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Mark {
    Right,
    Unknown,
    Wrong,
    /// A verdict where the task has none.
    Beyond,
    Skipped,
}

fn judge(expected: &Expected, said: &Said) -> Mark {
    match (expected, said) {
        (_, Said::Unknown(_) | Said::Nothing(_)) => Mark::Unknown,
        (Expected::Open, _) => Mark::Beyond,
        (Expected::True, Said::True) | (Expected::False(None), Said::False(_)) => Mark::Right,
        (Expected::False(Some(p)), Said::False(q)) if p == q => Mark::Right,
        _ => Mark::Wrong,
    }
}

struct Answer {
    mark: Mark,
    said: Said,
    /// It contradicted itself on the way.
    inconsistent: bool,
    cpu: f64,
}

/// What came out of all tasks in one mode: the columns of table 1 in brain-2015.
#[derive(Default)]
struct Totals {
    counterexamples: u64,
    proofs: u64,
    wrong: u64,
    inconclusive: u64,
    cpu: f64,
    /// Tasks that were decided as expected.
    right: std::collections::BTreeSet<String>,
}

/// Runs all tasks; an error when a verdict is wrong or two of the tool's own answers contradict.
pub fn run(tools: &Tools, o: &Options) -> Result<()> {
    let modes: Vec<&str> = o.mode.split(',').collect();
    if let [_] = modes.as_slice() {
        return run_mode(tools, o).and_then(|(_, bad)| none_wrong(bad));
    }
    let mut all: Vec<(&str, Totals)> = Vec::new();
    let mut bad = 0;
    for mode in modes {
        sh::step(&format!("mode {mode}"));
        let (totals, n) = run_mode(tools, &Options { mode: mode.into(), ..o.clone() })?;
        bad += n;
        all.push((mode, totals));
    }
    let mut rows =
        vec![row!["mode", "counterexamples", "proofs", "wrong", "inconclusive", "CPU s", "only here", "missing here"]];
    for (i, (mode, t)) in all.iter().enumerate() {
        let others: std::collections::BTreeSet<&String> =
            all.iter().enumerate().filter(|(k, _)| *k != i).flat_map(|(_, (_, t))| &t.right).collect();
        let only = t.right.iter().filter(|n| !others.contains(n)).count();
        let missing = others.iter().filter(|n| !t.right.contains(**n)).count();
        rows.push(row![
            mode,
            t.counterexamples,
            t.proofs,
            t.wrong,
            t.inconclusive,
            format!("{:.0}", t.cpu),
            only,
            missing
        ]);
    }
    println!("{}", table(&rows));
    none_wrong(bad)
}

fn none_wrong(bad: usize) -> Result<()> {
    if bad > 0 {
        bail!("verdicts: {bad} wrong");
    }
    Ok(())
}

fn run_mode(tools: &Tools, o: &Options) -> Result<(Totals, usize)> {
    let mut totals = Totals::default();
    let include = sh::scratch("verdicts")?;
    smack::write_header(&include)?;
    let mut bad = 0;
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    let mut skipped: BTreeMap<String, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rows =
        vec![row!["folder", "class", "tasks", "right", "unknown", "wrong", "beyond", "skipped", "median CPU s"]];
    for folder in &o.folders {
        let tasks = tasks_of(folder, &include)?;
        sh::step(&format!("{}: {} tasks", folder.display(), tasks.len()));
        let answers = sh::in_parallel_on(o.jobs, &tasks, |t| {
            let a = one(tools, t, o);
            if o.each
                && let Ok(a) = &a
            {
                println!("{:8} {:40} {} {:.2}", mark_name(a.mark), t.name, said_text(&a.said), a.cpu);
            }
            a
        });
        let answers: Vec<Answer> = answers.into_iter().collect::<Result<_>>()?;
        for (t, a) in tasks.iter().zip(&answers) {
            totals.cpu += a.cpu;
            match (&a.mark, &a.said) {
                (Mark::Skipped, _) => {}
                (Mark::Wrong, _) => totals.wrong += 1,
                (_, Said::False(_)) => totals.counterexamples += 1,
                (_, Said::True) => totals.proofs += 1,
                _ => totals.inconclusive += 1,
            }
            if a.mark == Mark::Right {
                totals.right.insert(format!("{}/{}", folder.display(), t.name));
            }
            match &a.said {
                _ if a.mark == Mark::Skipped => {
                    *skipped.entry(t.skip.clone().unwrap_or_default()).or_default() += 1;
                }
                Said::Unknown(why) => *reasons.entry(general(why)).or_default() += 1,
                Said::Nothing(why) => *reasons.entry(format!("no verdict: {}", general(why))).or_default() += 1,
                _ => {}
            }
            if a.mark == Mark::Unknown && t.expected != Expected::Open {
                let why: String = said_text(&a.said).chars().take(MAX_REASON).collect();
                open.push(format!("{} ({}): expected {}, got {why}", t.name, t.class, expected_text(&t.expected)));
            }
            if a.mark == Mark::Wrong {
                wrong.push(format!("{}: expected {}, got {}", t.name, expected_text(&t.expected), said_text(&a.said)));
            }
            if a.inconsistent {
                wrong.push(format!("{}: contradicts itself ({})", t.name, said_text(&a.said)));
            }
            bad += usize::from(a.mark == Mark::Wrong || a.inconsistent);
        }
        rows.extend(summary(folder, &tasks, &answers));
    }
    println!("{}", table(&rows));
    counted("Reasons for `UNKNOWN`:", &reasons);
    counted("Skipped:", &skipped);
    println!("Not decided:{}", if open.is_empty() { " none" } else { "\n" });
    for o in &open {
        println!("- {o}");
    }
    println!("\nWrong: {}", if wrong.is_empty() { "none" } else { "" });
    for w in &wrong {
        println!("- {w}");
    }
    Ok((totals, bad))
}

/// The tasks of a folder, of whatever kind they are.
pub fn tasks_of(folder: &Path, include: &Path) -> Result<Vec<Task>> {
    if !folder.is_dir() {
        bail!("{}: not a folder", folder.display());
    }
    for read in [esbmc::tasks, desc::tasks, svcomp::tasks, named::tasks, predator::tasks] {
        let found = read(folder)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let found = smack::tasks(folder, include)?;
    if found.is_empty() {
        bail!(
            "{}: no tasks: neither test.desc in it or its folders, nor task definitions (.yml), nor C files with .err, @expect or names that say what holds",
            folder.display()
        );
    }
    Ok(found)
}

fn one(tools: &Tools, t: &Task, o: &Options) -> Result<Answer> {
    if t.skip.is_some() {
        return Ok(Answer { mark: Mark::Skipped, said: Said::True, inconsistent: false, cpu: 0.0 });
    }
    let (timeout, seconds) = (o.timeout, o.timeout.to_string());
    let mut cmd = tools.verify(Path::new("/"), ["check", "--jobs", "1", "--mode", &o.mode, "--timeout", &seconds]);
    cmd.args(&t.arguments);
    // The tool ends by itself; what does not is a defect and counted as such.
    let done = sh::capture_watching(&mut cmd, timeout + 30, true)?;
    let out = done.out();
    let said = match verdict(&out) {
        Some(s) => s,
        None if done.timed_out => Said::Nothing("does not end".into()),
        None => Said::Nothing(done.err().lines().next().unwrap_or("nothing is printed").to_string()),
    };
    let inconsistent = out.lines().any(|l| l.contains("internal inconsistency"));
    Ok(Answer { mark: judge(&t.expected, &said), said, inconsistent, cpu: done.cpu_seconds })
}

/// The verdict in the last line of an output.
pub fn verdict(out: &str) -> Option<Said> {
    let line = out.lines().last()?.strip_prefix("VERDICT: ")?;
    let inside = |name: &str| Some(line.strip_prefix(name)?.strip_suffix(')')?.to_string());
    match line {
        "TRUE" => Some(Said::True),
        _ => inside("FALSE(").map(Said::False).or_else(|| inside("UNKNOWN(").map(Said::Unknown)),
    }
}

fn mark_name(m: Mark) -> &'static str {
    match m {
        Mark::Right => "right",
        Mark::Unknown => "unknown",
        Mark::Wrong => "WRONG",
        Mark::Beyond => "beyond",
        Mark::Skipped => "skipped",
    }
}

fn said_text(s: &Said) -> String {
    match s {
        Said::True => "TRUE".into(),
        Said::False(p) => format!("FALSE({p})"),
        Said::Unknown(w) => format!("UNKNOWN({w})"),
        Said::Nothing(w) => format!("no verdict: {w}"),
    }
}

fn expected_text(e: &Expected) -> String {
    match e {
        Expected::True => "TRUE".into(),
        Expected::False(None) => "FALSE".into(),
        Expected::False(Some(p)) => format!("FALSE({p})"),
        Expected::Open => "nothing".into(),
    }
}

/// The rows of a folder: one per class, and their sum when there are several.
fn summary(folder: &Path, tasks: &[Task], answers: &[Answer]) -> Vec<Vec<String>> {
    let parent = folder.parent().and_then(Path::file_name).map(|p| p.to_string_lossy().into_owned());
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let name = parent.map_or(name.to_string(), |p| format!("{p}/{name}"));
    let mut classes: Vec<&str> = tasks.iter().map(|t| t.class.as_str()).collect();
    classes.sort_unstable();
    classes.dedup();
    let row_of = |title: &str, wanted: &dyn Fn(&Task) -> bool| {
        let mine: Vec<&Answer> = tasks.iter().zip(answers).filter(|(t, _)| wanted(t)).map(|(_, a)| a).collect();
        let n = |m: Mark| mine.iter().filter(|a| a.mark == m).count();
        let cpu: Vec<f64> = mine.iter().filter(|a| a.mark != Mark::Skipped).map(|a| a.cpu).collect();
        let cpu = if cpu.is_empty() { "-".to_string() } else { format!("{:.2}", crate::bench::median(cpu)) };
        row![
            name,
            title,
            mine.len(),
            n(Mark::Right),
            n(Mark::Unknown),
            n(Mark::Wrong),
            n(Mark::Beyond),
            n(Mark::Skipped),
            cpu
        ]
    };
    let mut rows: Vec<Vec<String>> = classes.iter().map(|c| row_of(c, &|t: &Task| t.class == *c)).collect();
    if classes.len() > 1 {
        rows.push(row_of("all", &|_| true));
    }
    rows
}

/// Characters of a reason.
const MAX_REASON: usize = 120;

fn counted(title: &str, what: &BTreeMap<String, u64>) {
    if what.is_empty() {
        return;
    }
    println!("{title}\n");
    let mut list: Vec<(&String, &u64)> = what.iter().collect();
    list.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    for (why, n) in list {
        println!("- {n} × {why}");
    }
    println!();
}

/// A reason without the names and numbers of one program.
fn general(why: &str) -> String {
    let mut out = String::new();
    for (i, part) in why.split('`').enumerate() {
        if i % 2 == 1 {
            out.push_str("`…`");
            continue;
        }
        let mut digits = false;
        for c in part.chars() {
            if !c.is_ascii_digit() {
                out.push(c);
            } else if !digits {
                out.push('N');
            }
            digits = c.is_ascii_digit();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdict_lines() {
        assert_eq!(verdict("note: x\nVERDICT: TRUE\n"), Some(Said::True));
        assert_eq!(verdict("VERDICT: FALSE(valid-free)\n"), Some(Said::False("valid-free".into())));
        assert_eq!(verdict("VERDICT: UNKNOWN(budget: loops (3))\n"), Some(Said::Unknown("budget: loops (3)".into())));
        assert_eq!(verdict("VERDICT: TRUE\nmore\n"), None);
        assert_eq!(verdict(""), None);
    }

    #[test]
    fn marks() {
        let no = |p: &str| Said::False(p.into());
        assert_eq!(judge(&Expected::True, &no("unreach-call")), Mark::Wrong);
        assert_eq!(judge(&Expected::False(None), &Said::True), Mark::Wrong);
        assert_eq!(judge(&Expected::False(Some("valid-free".into())), &no("valid-deref")), Mark::Wrong);
        assert_eq!(judge(&Expected::False(Some("valid-free".into())), &no("valid-free")), Mark::Right);
        assert_eq!(judge(&Expected::Open, &Said::True), Mark::Beyond);
        assert_eq!(judge(&Expected::True, &Said::Unknown("time".into())), Mark::Unknown);
    }

    #[test]
    fn reasons_without_names() {
        assert_eq!(general("ends by leak in line 12 of `main`, 7"), "ends by leak in line N of `…`, N");
    }
}

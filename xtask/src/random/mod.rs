//! No proof may be wrong: random programs whose real behaviour is known, and questions to `verify check` of which the
//! answer TRUE (or, now and then, FALSE) is known to be wrong. An observed execution is turned into a program that
//! reaches the error exactly on it: whoever proves that the error is not reached has lost that execution. Sources of
//! programs are the generator here, deep loops and faults included, and csmith.

pub mod arrays;
mod descent;
pub mod endless;
pub mod explored;
mod expr;
mod fault;
mod generate;
mod idiom;
pub mod lists;
pub mod loops;
mod native;
pub mod objects;
mod small_csmith;
mod stmt;
pub mod undefined;

use crate::row;
use crate::sh::{self, Rng, Tools};
use crate::tally::{Tally, table};
use anyhow::{Context, Result};
use generate::{Kind, LOGGED, Program};
use native::{Fault, Run};
use std::collections::BTreeMap;
use std::path::Path;

/// Seconds for one question.
const LIMIT: u64 = 10;

/// The verdict in a word, and why it is wrong if it is.
type Judged = (String, Option<String>);

/// Asks about `n` programs, two at a time, and counts the verdicts. `one` makes and asks a program of its number, and has
/// no answer where there is nothing to ask.
fn ask_each(
    tools: &Tools,
    scratch: &str,
    n: u64,
    seed: u64,
    one: impl Fn(&Tools, &Path, u64, u64) -> Result<Option<Judged>> + Sync,
) -> Result<Tally> {
    let dir = sh::scratch(scratch)?;
    let tools = tools.with_cache("random-cache")?;
    let indexes: Vec<u64> = (0..n).collect();
    let mut tally = Tally::default();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (i, r) in sh::in_parallel(&indexes, |i| one(&tools, &dir, seed, *i)).into_iter().enumerate() {
        let name = format!("{seed}-{i}");
        match r.with_context(|| name.clone()) {
            Ok(None) => tally.skip(name, "no run gets there"),
            Ok(Some((verdict, wrong))) => {
                *counts.entry(verdict).or_default() += 1;
                match wrong {
                    Some(why) => tally.fail(name, why),
                    None => tally.pass(),
                }
            }
            Err(e) => tally.fail(name, format!("{e:#}")),
        }
    }
    let counts: Vec<String> = counts.iter().map(|(v, k)| format!("{v} {k}")).collect();
    println!("verdicts: {}", counts.join(" "));
    Ok(tally)
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Asked {
    /// The error is reached exactly on an observed execution; its inputs are assumed at the start.
    LostFixed,
    /// The same, with all inputs free and compared in the end.
    LostFree,
    /// The error is reached in a late iteration of a loop.
    LostLate,
    /// The observed execution does not reach the error.
    Kept,
    /// The sanitizers report a failure.
    Fails,
    /// The program is free of failures by construction.
    Clean,
    /// As `LostFixed`, a program by csmith.
    Csmith,
}

impl Asked {
    fn describe(self) -> &'static str {
        match self {
            Asked::LostFixed => "reached on an execution, inputs assumed",
            Asked::LostFree => "reached on an execution, inputs free",
            Asked::LostLate => "reached after many iterations",
            Asked::Kept => "not reached on an execution",
            Asked::Fails => "fails by the sanitizers",
            Asked::Clean => "without fault by construction",
            Asked::Csmith => "reached on an execution, by csmith",
        }
    }
    /// The verdict that is wrong.
    fn wrong(self) -> &'static str {
        match self {
            Asked::Kept | Asked::Clean => "FALSE",
            _ => "TRUE",
        }
    }
}

/// A question.
struct Question {
    asked: Asked,
    property: &'static str,
    text: String,
}

/// An answer.
struct Answer {
    asked: Asked,
    verdict: String,
    seconds: f64,
    /// What is wrong with it.
    wrong: Option<String>,
    name: String,
}

/// `n` programs.
pub fn run(tools: &Tools, n: u64, seed: u64) -> Result<Tally> {
    sh::step(&format!("{n} random programs, seed {seed}: no verdict may be wrong"));
    let dir = sh::scratch("random-verdicts")?;
    native::prepare(&dir)?;
    let tools = tools.with_cache("random-cache")?;
    let indexes: Vec<u64> = (0..n).collect();
    let done = sh::in_parallel(&indexes, |i| {
        let answers = one(&tools, &dir, seed, *i);
        // A long run says at once what it found.
        for a in answers.iter().flatten() {
            if let Some(why) = &a.wrong {
                println!("wrong: {} {why}", a.name);
            }
        }
        if let Err(e) = &answers {
            println!("no program: {seed}-{i} {e:#}");
        }
        answers
    });
    let mut tally = Tally::default();
    let mut answers = Vec::new();
    for (i, r) in done.into_iter().enumerate() {
        match r {
            Ok(a) if a.is_empty() => tally.skip(format!("{seed}-{i}"), "no execution without a fault"),
            Ok(a) => answers.extend(a),
            Err(e) => tally.fail(format!("{seed}-{i}"), format!("{e:#}")),
        }
    }
    show(&answers);
    for a in answers {
        match a.wrong {
            Some(why) => tally.fail(a.name, why),
            None => tally.pass(),
        }
    }
    Ok(tally)
}

fn show(answers: &[Answer]) {
    let mut counts: BTreeMap<Asked, ([usize; 3], f64)> = BTreeMap::new();
    let mut reasons: BTreeMap<String, (usize, &str)> = BTreeMap::new();
    for a in answers {
        let (c, s) = counts.entry(a.asked).or_default();
        *s += a.seconds;
        let column = ["TRUE", "FALSE"].iter().position(|v| a.verdict.starts_with(v)).unwrap_or(2);
        c[column] += 1;
        if column == 2 {
            let mut reason: String = a.verdict.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
            while reason.contains("##") {
                reason = reason.replace("##", "#");
            }
            reasons.entry(reason).or_insert((0, &a.name)).0 += 1;
        }
    }
    let mut rows = vec![row!["question", "wrong", "TRUE", "FALSE", "UNKNOWN", "s each"]];
    for (asked, (c, s)) in counts {
        let each = s / c.iter().sum::<usize>().max(1) as f64;
        rows.push(row![asked.describe(), asked.wrong(), c[0], c[1], c[2], format!("{each:.1}")]);
    }
    println!("\n{}", table(&rows));
    let mut reasons: Vec<(String, (usize, &str))> = reasons.into_iter().collect();
    reasons.sort_by(|a, b| b.1.0.cmp(&a.1.0).then(a.0.cmp(&b.0)));
    for (why, (n, example)) in reasons.iter().take(20) {
        println!("{n:5} {why}, such as {example}");
    }
}

/// Which kind of program stands where: deep loops take longest.
fn kind(index: u64) -> Option<Kind> {
    Some(match index % 10 {
        3 | 8 => Kind::Deep,
        1 | 6 => Kind::Faulty,
        5 => Kind::DeepFaulty,
        9 => return None,
        _ => Kind::Mixed,
    })
}

fn one(tools: &Tools, dir: &Path, seed: u64, index: u64) -> Result<Vec<Answer>> {
    let mut rng = Rng(seed.wrapping_mul(0x1_0000_0001).wrapping_add(index << 20));
    let name = format!("{seed}-{index}");
    let questions = match kind(index) {
        None => small_csmith::question(dir, &name, &mut rng)?.into_iter().collect(),
        Some(kind) => {
            let p = generate::program(&mut rng, kind);
            let runs = native::runs(dir, &name, &p)?;
            questions(&mut rng, &p, &runs)
        }
    };
    questions.into_iter().enumerate().map(|(k, q)| ask(tools, dir, &format!("{name}-{k}"), q)).collect()
}

fn ask(tools: &Tools, dir: &Path, name: &str, q: Question) -> Result<Answer> {
    let file = format!("{name}.c");
    let path = dir.join(&file);
    let text = format!(
        "// asked: {}; {} would be wrong\n// check: --property {}\n{}",
        q.asked.describe(),
        q.asked.wrong(),
        q.property,
        q.text
    );
    std::fs::write(&path, text)?;
    let limit = LIMIT.to_string();
    let mut cmd = tools.verify(dir, ["check", "--jobs", "1", "--timeout", &limit, "--property", q.property]);
    if q.asked == Asked::Csmith {
        cmd.arg("-I/usr/include/csmith");
    }
    let done = sh::capture(cmd.arg(&file), LIMIT * 3)?;
    let out = done.out();
    let verdict = out.lines().last().and_then(|l| l.strip_prefix("VERDICT: ")).unwrap_or("none").to_string();
    let inconsistent = out.lines().chain(std::iter::once(verdict.as_str())).find(|l| l.contains("inconsisten"));
    let wrong = if verdict == "none" {
        Some(format!("no verdict, exit {}:\n{}", done.code, done.tail()))
    } else if let Some(l) = inconsistent {
        Some(l.to_string())
    } else if verdict.starts_with(q.asked.wrong()) {
        Some(format!("{verdict}, but: {}", q.asked.describe()))
    } else {
        None
    };
    // What was not decided is worth a look.
    if wrong.is_none() && !verdict.starts_with("UNKNOWN") {
        let _ = std::fs::remove_file(&path);
    }
    Ok(Answer { asked: q.asked, verdict, seconds: done.seconds, wrong, name: file })
}

/// The inputs have the values of a vector, as C says it: those read first, those read later.
fn equal(p: &Program, r: &Run) -> (String, String) {
    let v = &p.vectors[r.vector];
    let first: Vec<String> =
        p.inputs.iter().enumerate().map(|(i, x)| format!("x{i} == {}", x.ty.literal(v[i]))).collect();
    let read = r.end.map_or(0, |e| e.1);
    let mut later = vec![format!("in_count == {read}")];
    later.extend((0..read as usize).map(|i| format!("in_log[{i}] == 0x{:x}u", v[p.inputs.len() + i] & 0xffff_ffff)));
    (first.join(" && "), later.join(" && "))
}

fn with(p: &Program, inputs: &str, step: &str, end: &str) -> String {
    p.text.replace("//@inputs", inputs).replace("//@step", step).replace("//@end", end)
}

fn questions(rng: &mut Rng, p: &Program, runs: &[Run]) -> Vec<Question> {
    let mut out = Vec::new();
    let mut add = |asked, property, text| out.push(Question { asked, property, text });
    let ended: Vec<&Run> = runs.iter().filter(|r| r.end.is_some_and(|e| e.1 as usize <= LOGGED)).collect();
    let deep = matches!(p.kind, Kind::Deep | Kind::DeepFaulty);
    // Not every fault is met by a vector; then the program is one like others.
    let met = runs.iter().any(|r| r.fault.is_some());
    if !ended.is_empty() && (p.kind != Kind::Faulty || !met) {
        let r = *rng.pick(&ended);
        let (first, later) = equal(p, r);
        let sum = r.end.map_or(0, |e| e.0);
        let assume = format!("__VERIFIER_assume({first});");
        let fixed = format!("if ({later} && sum == 0x{sum:x}ul) reach_error();");
        let free = format!("if ({first} && {later} && sum == 0x{sum:x}ul) reach_error();");
        let kept = format!("if ({first} && {later} && sum != 0x{sum:x}ul) reach_error();");
        if !deep || rng.below(3) == 0 {
            add(Asked::LostFixed, "unreach-call", with(p, &assume, "", &fixed));
        }
        match rng.below(3) {
            _ if deep => {}
            0 => add(Asked::LostFree, "unreach-call", with(p, "", "", &free)),
            1 => add(Asked::Kept, "unreach-call", with(p, &assume, "", &kept)),
            _ => {}
        }
    }
    if deep && let Some(condition) = late(rng, &ended) {
        add(Asked::LostLate, "unreach-call", with(p, "", &format!("if ({condition}) reach_error();"), ""));
    }
    let mut faults: Vec<Fault> = runs.iter().filter_map(|r| r.fault).collect();
    faults.sort();
    faults.dedup_by_key(|f| f.property());
    for f in &faults {
        add(Asked::Fails, f.property(), with(p, "", "", ""));
    }
    if p.kind == Kind::Mixed && faults.is_empty() && rng.below(5) == 0 {
        let property = *rng.pick(&["valid-memsafety", "no-overflow"]);
        add(Asked::Clean, property, with(p, "", "", ""));
    }
    out
}

/// A condition on the state of a loop that an execution meets after many iterations only.
fn late(rng: &mut Rng, runs: &[&Run]) -> Option<String> {
    const LATE: u64 = 40;
    let mut choices = Vec::new();
    for r in runs {
        let mask = *rng.pick(&[0xffff, 0xffff, 0xff, 0xf]);
        let mut seen = Vec::new();
        for (at, digest) in &r.steps {
            let d = digest & mask;
            if !seen.contains(&d) {
                seen.push(d);
                if *at >= LATE {
                    choices.push(format!("(digest & 0x{mask:x}) == 0x{d:x}"));
                }
            }
            if *at >= LATE && at % 16 == 0 {
                choices.push(format!("it == {at} && digest == 0x{digest:x}"));
            }
        }
    }
    if choices.is_empty() { None } else { Some(rng.pick(&choices).clone()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_the_same_for_a_seed_and_keep_their_marks() {
        for i in 0..200 {
            let Some(kind) = kind(i) else { continue };
            let (a, b) = (generate::program(&mut Rng(i), kind), generate::program(&mut Rng(i), kind));
            assert_eq!(a.text, b.text);
            for (mark, times) in [("//@inputs", 1), ("//@end", 1)] {
                assert_eq!(a.text.matches(mark).count(), times, "{mark} in\n{}", a.text);
            }
            let deep = matches!(kind, Kind::Deep | Kind::DeepFaulty);
            assert_eq!(a.text.matches("//@step").count(), usize::from(deep));
        }
    }
}

//! Random edits of the programs under `tests/run`: those that nearly always change the meaning, none of which may be
//! called equal where a run tells the versions apart; and those that never do, of which the share called equal is counted.

use super::compare;
use crate::e2e;
use crate::sh::{self, Tools};
use crate::tally::Tally;
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n.max(1) as u64) as usize
    }
}

/// Edits that nearly always change the meaning.
const CHANGING: &[(&str, &str)] = &[
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " + "),
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" == ", " != "),
    (" != ", " == "),
    (" && ", " || "),
    (" || ", " && "),
    (" & ", " | "),
    (" | ", " & "),
    (" ^ ", " & "),
    (" << ", " >> "),
    (" >> ", " << "),
    (" % ", " / "),
    (" += ", " -= "),
    (" -= ", " += "),
    ("= 0;", "= 1;"),
    ("= 1;", "= 2;"),
    ("return ", "return 1 + "),
    ("++", "--"),
    ("if (", "if (!"),
    ("while (", "while (1 && "),
];

/// An edit of a text: where, what was there, and what comes instead.
struct Edit {
    at: usize,
    from: String,
    to: String,
}

fn is_word(s: &str) -> bool {
    !s.is_empty() && s.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn is_name(s: &str) -> bool {
    is_word(s) && !s.starts_with(|c: char| c.is_ascii_digit())
}

/// Lines of code with their offsets: no comments, no directives, no strings.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |l| {
        let here = at;
        at += l.len();
        let t = l.trim_start();
        (!t.starts_with("//") && !t.starts_with('#') && !l.contains(['"', '\''])).then(|| (here, l.trim_end()))
    })
}

fn changing(text: &str) -> Vec<Edit> {
    let mut out = Vec::new();
    for (at, l) in lines(text) {
        for (from, to) in CHANGING {
            out.extend(l.match_indices(from).map(|(k, _)| Edit { at: at + k, from: (*from).into(), to: (*to).into() }));
        }
    }
    out
}

/// The refactorings that a line admits, as (what goes, what comes).
fn refactorings(l: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    let t = l.trim();
    if let Some(e) = t.strip_prefix("return ").and_then(|r| r.strip_suffix(';'))
        && !e.contains([';', '{', '?'])
    {
        out.push((t.into(), format!("{{ __typeof__({e}) kept_ = ({e}); return kept_; }}")));
    }
    // Comparisons that stand alone between parentheses or in the head of a loop.
    for (open, close) in [("(", ")"), ("; ", ";")] {
        for (k, _) in l.match_indices(open) {
            let Some(inner) = l[k + open.len()..].split(close).next() else { continue };
            for (op, turned) in [("<", ">"), (">", "<"), ("<=", ">="), (">=", "<="), ("==", "=="), ("!=", "!=")] {
                let words: Vec<&str> = inner.split(' ').collect();
                if let [a, o, b] = words.as_slice()
                    && *o == op
                    && is_word(a)
                    && is_word(b)
                {
                    out.push((format!("{open}{inner}{close}"), format!("{open}{b} {turned} {a}{close}")));
                }
            }
        }
    }
    if let Some(c) = t.strip_prefix("while (").and_then(|r| r.strip_suffix(") {"))
        && !c.contains(['(', ')'])
    {
        out.push((format!("while ({c}) {{"), format!("for (; {c};) {{")));
    }
    if let Some(c) = t.strip_prefix("if (").and_then(|r| r.strip_suffix(") {"))
        && !c.contains("if")
    {
        out.push((format!("if ({c}) {{"), format!("if (!(!({c}))) {{")));
    }
    if let Some((_, last)) = l.split_once("; ").and_then(|(_, r)| r.split_once("; "))
        && let Some(i) = last.split("++)").next()
        && last.contains("++)")
        && is_name(i)
    {
        out.push((format!("; {i}++)"), format!("; {i} += 1)")));
    }
    for op in ["+", "-", "*", "^", "|", "&"] {
        if let Some((a, b)) = t.strip_suffix(';').and_then(|s| s.split_once(&format!(" {op}= ")))
            && is_name(a)
            && is_word(b)
        {
            out.push((t.into(), format!("{a} = {a} {op} {b};")));
        }
    }
    if let Some((head, sum)) = t.strip_suffix(';').and_then(|s| s.split_once(" = "))
        && let [a, o @ ("+" | "*" | "^" | "&" | "|"), b] = sum.split(' ').collect::<Vec<_>>().as_slice()
        && is_word(a)
        && is_word(b)
    {
        out.push((t.into(), format!("{head} = {b} {o} {a};")));
    }
    if t.ends_with(" = 1;") {
        out.push(("= 1;".into(), "= 3 - 2;".into()));
    }
    if t.ends_with(" = 0;") && !t.contains('*') {
        out.push(("= 0;".into(), "= 4 & 3;".into()));
    }
    out
}

fn preserving(text: &str) -> Vec<Edit> {
    let mut out = Vec::new();
    for (at, l) in lines(text) {
        for (from, to) in refactorings(l) {
            if let Some(k) = l.find(&from) {
                out.push(Edit { at: at + k, from, to });
            }
        }
    }
    out
}

type Judge<'a> = dyn FnMut(&mut Tally, String, Result<&'static str, String>) + 'a;

fn run(tools: &Tools, n: u64, seed: u64, edits: fn(&str) -> Vec<Edit>, judge: &mut Judge<'_>) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut r = Random(seed.wrapping_mul(77) ^ 0x5eed);
    let files: Vec<PathBuf> = e2e::c_files(&sh::root().join("tests/run"));
    let dir = tempfile::tempdir()?;
    let (mut tried, mut done) = (0, 0);
    while done < n && tried < 20 * n {
        tried += 1;
        let file: &Path = &files[r.below(files.len())];
        let text = std::fs::read_to_string(file)?;
        let places = edits(&text);
        if places.is_empty() || text.len() > 30_000 {
            continue;
        }
        let e = &places[r.below(places.len())];
        let edited = format!("{}{}{}", &text[..e.at], e.to, &text[e.at + e.from.len()..]);
        let (old, new) = (dir.path().join("old.c"), dir.path().join("new.c"));
        std::fs::write(&old, &text)?;
        std::fs::write(&new, edited)?;
        let line = text[..e.at].lines().count();
        let name = format!("{}:{line}: `{}` for `{}`", file.display(), e.to.trim(), e.from.trim());
        let before = tally.passed + tally.failed.len();
        match compare(tools, &old, &new, true, &[])? {
            Ok(said) => {
                let worst = ["changed", "unknown"].into_iter().find(|v| said.iter().any(|s| s.verdict == *v));
                judge(&mut tally, name, Ok(worst.unwrap_or("equal")));
            }
            Err(why) => judge(&mut tally, name, Err(why)),
        }
        done += u64::from(tally.passed + tally.failed.len() > before);
    }
    Ok(tally)
}

/// `n` mutants: none that is called equal may be told apart by running it. Every function said to be equal is attacked
/// with random inputs; `verify` exits with 4 when one shows a difference.
pub fn mutants(tools: &Tools, n: u64, seed: u64) -> Result<Tally> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let tally = run(tools, n, seed, changing, &mut |tally, name, verdict| match verdict {
        Ok(v) => {
            *counts.entry(v).or_default() += 1;
            tally.pass();
        }
        Err(why) if why.contains("shown equal") => tally.fail(name, why),
        Err(why) => tally.skip(name, why.lines().next().unwrap_or_default().to_string()),
    })?;
    println!("mutants: {counts:?}");
    Ok(tally)
}

/// `n` edits that preserve the meaning: none may be called changed; how many are called equal is printed.
pub fn preserved(tools: &Tools, n: u64, seed: u64) -> Result<Tally> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let tally = run(tools, n, seed, preserving, &mut |tally, name, verdict| match verdict {
        Ok("changed") => tally.fail(name, "called changed"),
        Ok(v) => {
            *counts.entry(v).or_default() += 1;
            if v == "unknown" {
                println!("unknown: {name}");
            }
            tally.pass();
        }
        Err(why) if why.contains("shown equal") => tally.fail(name, why),
        Err(why) => tally.skip(name, why.lines().next().unwrap_or_default().to_string()),
    })?;
    println!("preserved: {counts:?}");
    Ok(tally)
}

//! Random edits of the programs under `tests/run`, or of the C files of another folder: those that nearly always change the
//! meaning, none of which may be called equal where a run tells the versions apart; and those that never do, of which the
//! share called equal is counted. Of the programs of the suite all functions are compared, of other files the edited one.

use super::{Said, compare};
use crate::e2e;
use crate::sh::{self, Tools};
use crate::tally::Tally;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

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

/// Indices of a text's numbers that stand for themselves: no part of a name, a float or a hexadecimal number.
fn numbers(l: &str) -> Vec<(usize, &str)> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut out = Vec::new();
    let mut rest = 0;
    for word in l.split(|c: char| !part(c)) {
        let at = rest;
        rest += word.len() + l[rest + word.len()..].chars().next().map_or(0, char::len_utf8);
        if !word.is_empty() && word.len() < 9 && word.bytes().all(|b| b.is_ascii_digit()) {
            out.push((at, word));
        }
    }
    out
}

/// The fields that a line gets at by an arrow, with where they are.
fn fields(l: &str) -> impl Iterator<Item = (usize, &str)> {
    l.match_indices("->").map(|(k, _)| {
        let rest = &l[k + 2..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        (k + 2, &rest[..end])
    })
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
    let names: BTreeSet<&str> = lines(text).flat_map(|(_, l)| fields(l).map(|f| f.1).collect::<Vec<_>>()).collect();
    let names: Vec<&str> = names.into_iter().filter(|n| is_name(n)).collect();
    let mut before: Option<(usize, &str)> = None;
    for (at, l) in lines(text) {
        for (from, to) in CHANGING {
            out.extend(l.match_indices(from).map(|(k, _)| Edit { at: at + k, from: (*from).into(), to: (*to).into() }));
        }
        let t = l.trim_start();
        if t.len() == l.len() {
            before = None;
            continue;
        }
        // Another constant, another field, a statement less, two statements in the other order.
        for (k, n) in numbers(l) {
            let more = n.parse::<u64>().unwrap_or(0) + 1;
            out.push(Edit { at: at + k, from: n.into(), to: more.to_string() });
        }
        for (k, f) in fields(l) {
            let next = names.iter().position(|n| *n == f).map(|i| names[(i + 1) % names.len()]);
            if let Some(to) = next.filter(|n| *n != f) {
                out.push(Edit { at: at + k, from: f.into(), to: to.into() });
            }
        }
        let statement = t.ends_with(';') && !t.contains(['{', '}']);
        if statement && t.contains('(') && !t.starts_with("return") {
            out.push(Edit { at: at + l.len() - t.len(), from: t.into(), to: ";".into() });
        }
        if let Some((there, b)) = before
            && statement
            && text[there + b.len()..at].trim().is_empty()
        {
            let between = &text[there + b.len()..at + l.len() - t.len()];
            let from = text[there..at + l.len()].to_string();
            out.push(Edit { at: there, from, to: format!("{t}{between}{b}") });
        }
        before = statement.then_some((at + l.len() - t.len(), t));
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
        out.push((t.into(), format!("{{ __auto_type kept_ = ({e}); return kept_; }}")));
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

/// The function that a place is in: the name before the last parentheses of the last line that begins one.
fn function_at(text: &str, at: usize) -> Option<&str> {
    let head = text[..at].lines().rev().find(|l| {
        l.starts_with(|c: char| c.is_ascii_alphabetic()) && l.contains('(') && !l.trim_end().ends_with([';', ':'])
    })?;
    let (mut depth, mut open) = (0, None);
    for (k, c) in head.char_indices() {
        match c {
            '(' => {
                if depth == 0 {
                    open = Some(k);
                }
                depth += 1;
            }
            ')' => depth -= 1,
            _ => {}
        }
    }
    let name = head[..open?].trim_end();
    let name = name.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
    is_name(name).then_some(name)
}

/// What to edit, how often, and what random numbers begin with.
pub struct Edits {
    /// Edits to try.
    pub n: u64,
    /// The seed.
    pub seed: u64,
    /// A folder of C files, each of which compiles alone; the suite's programs when there is none.
    pub folder: Option<PathBuf>,
}

/// What an edit counts as; `None`: it is not counted, a line says why.
type Judge<'a> = dyn FnMut(&mut Tally, String, &Result<String, String>) + 'a;

impl Edits {
    fn run(&self, tools: &Tools, edits: fn(&str) -> Vec<Edit>, judge: &mut Judge<'_>) -> Result<Tally> {
        let mut tally = Tally::default();
        let mut r = Random(self.seed.wrapping_mul(77) ^ 0x5eed);
        let of_suite = sh::root().join("tests/run");
        let files: Vec<PathBuf> = e2e::c_files(self.folder.as_ref().unwrap_or(&of_suite));
        let dir = tempfile::tempdir()?;
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        let (mut tried, mut done) = (0, 0);
        while done < self.n && tried < 20 * self.n && !files.is_empty() {
            tried += 1;
            let file: &Path = &files[r.below(files.len())];
            let Ok(text) = std::fs::read_to_string(file) else { continue };
            let places = edits(&text);
            if places.is_empty() || (self.folder.is_none() && text.len() > 30_000) {
                continue;
            }
            let e = &places[r.below(places.len())];
            let edited = format!("{}{}{}", &text[..e.at], e.to, &text[e.at + e.from.len()..]);
            let (old, new) = (dir.path().join("old.c"), dir.path().join("new.c"));
            std::fs::write(&old, &text)?;
            std::fs::write(&new, edited)?;
            let line = text[..e.at].lines().count();
            let name = format!("{}:{line}: `{}` for `{}`", file.display(), e.to.trim(), e.from.trim());
            let mut options = ["--functions", ".*"].map(String::from).to_vec();
            if self.folder.is_some() {
                let Some(f) = function_at(&text, e.at) else { continue };
                let beside = file.parent().unwrap_or(Path::new(".")).display().to_string();
                options = ["-I", &beside, "--functions", f].map(String::from).to_vec();
            }
            let start = Instant::now();
            let verdict = compare(tools, &old, &new, true, &options)?.map(|said| worst(&said));
            let before = tally.passed + tally.failed.len();
            judge(&mut tally, name.clone(), &verdict);
            done += u64::from(tally.passed + tally.failed.len() > before);
            let said = match &verdict {
                Ok(v) => v.clone(),
                Err(why) => format!("skipped ({})", why.lines().last().unwrap_or_default()),
            };
            println!("{done}/{} {said}: {name} ({:.1} s)", self.n, start.elapsed().as_secs_f64());
            std::io::stdout().flush()?;
            let kind = said.split(" (").next().unwrap_or_default().to_string();
            *counts.entry(kind).or_default() += 1;
        }
        println!("{counts:?}");
        Ok(tally)
    }

    /// Mutants: none that is called equal may be told apart by running it. Every function said to be equal is attacked
    /// with random inputs; `verify` exits with 4 when one shows a difference.
    pub fn mutants(&self, tools: &Tools) -> Result<Tally> {
        self.run(tools, changing, &mut |tally, name, verdict| match verdict {
            // Nothing was changed: a comment, or code that is not compiled.
            Ok(v) if v == SAME => tally.skip(name, SAME),
            Ok(_) => tally.pass(),
            Err(why) if why.contains("shown equal") => tally.fail(name, why),
            Err(why) => tally.skip(name, why.lines().last().unwrap_or_default()),
        })
    }

    /// Edits that preserve the meaning: none may be called changed; how many are called equal is printed.
    pub fn preserved(&self, tools: &Tools) -> Result<Tally> {
        self.run(tools, preserving, &mut |tally, name, verdict| match verdict {
            Ok(v) if v.starts_with("changed") => tally.fail(name, "called changed"),
            Ok(_) => tally.pass(),
            Err(why) if why.contains("shown equal") => tally.fail(name, why),
            Err(why) => tally.skip(name, why.lines().last().unwrap_or_default()),
        })
    }
}

/// What is said of code that the compiler makes the same of.
const SAME: &str = "the same code";

/// The worst of all verdicts, with the reason.
fn worst(said: &[Said]) -> String {
    for v in ["changed", "unknown"] {
        if let Some(s) = said.iter().find(|s| s.verdict == v) {
            return format!("{v} ({}: {})", s.name, s.how);
        }
    }
    match said.iter().find(|s| s.differs) {
        Some(s) => format!("equal ({}: {})", s.name, s.how),
        None => SAME.into(),
    }
}

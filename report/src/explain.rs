//! A check explained from the record of a scan: which one is meant, and everything that is known about it as text.

use crate::record::{Entry, Program, Record, Step, Work};
use crate::wording::{bodiless, capital, printable};
use std::fmt::Write;
use verify_ir::CheckKind;

/// How a user names checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Named {
    /// By the beginning of its name in the SARIF.
    Id(String),
    /// By its place: file (or the end of its path), line, and column and kind when given.
    Place {
        /// Path or its last parts.
        file: String,
        /// From 1.
        line: u32,
        /// From 1.
        column: Option<u32>,
        /// Kind.
        kind: Option<CheckKind>,
    },
}

impl Named {
    /// Reads `FILE:LINE[:COLUMN][:KIND]` or at least 6 digits of a name.
    ///
    /// # Errors
    /// A sentence.
    pub fn parse(text: &str) -> Result<Named, String> {
        let form = "a check is named FILE:LINE[:COLUMN][:KIND], or by its id in the SARIF";
        let hex = text.len() >= 6 && text.len() <= 32 && text.bytes().all(|b| b.is_ascii_hexdigit());
        if hex {
            return Ok(Named::Id(text.to_ascii_lowercase()));
        }
        let mut parts: Vec<&str> = text.split(':').collect();
        let mut kind = None;
        if parts.len() > 2
            && let Some(last) = parts.last()
            && last.parse::<u32>().is_err()
        {
            kind = Some(CheckKind::from_name(last).ok_or_else(|| {
                let known: Vec<&str> = CheckKind::ALL.iter().map(|k| k.name()).collect();
                format!("there is no kind `{last}`: {}", known.join(", "))
            })?);
            parts.pop();
        }
        let mut numbers = Vec::new();
        while parts.len() > 1 && numbers.len() < 2 {
            let Some(n) = parts.last().and_then(|p| p.parse::<u32>().ok()) else { break };
            numbers.insert(0, n);
            parts.pop();
        }
        let file = parts.join(":");
        match numbers.as_slice() {
            _ if file.is_empty() => Err(format!("`{text}`: {form}")),
            [line] => Ok(Named::Place { file, line: *line, column: None, kind }),
            [line, column] => Ok(Named::Place { file, line: *line, column: Some(*column), kind }),
            _ => Err(format!("`{text}`: {form}")),
        }
    }
}

/// One path ends with the other, part by part.
fn is_file(path: &str, wanted: &str) -> bool {
    let wanted = wanted.strip_prefix("./").unwrap_or(wanted);
    path == wanted
        || path.strip_suffix(wanted).is_some_and(|rest| rest.ends_with('/'))
        || (wanted.starts_with('/') && wanted.strip_suffix(path).is_some_and(|rest| rest.ends_with('/')))
}

/// The findings that are meant, by index.
///
/// # Errors
/// A sentence that says what there is instead.
pub fn find(record: &Record, named: &Named) -> Result<Vec<usize>, String> {
    let of = |wanted: &dyn Fn(&Entry) -> bool| -> Vec<usize> {
        (0..record.findings.len()).filter(|&i| wanted(&record.findings[i])).collect()
    };
    let (file, line, column, kind) = match named {
        Named::Id(id) => {
            let found = of(&|e| e.id.starts_with(id.as_str()));
            return if found.is_empty() { Err(format!("the scan has no check with id {id}")) } else { Ok(found) };
        }
        Named::Place { file, line, column, kind } => (file, *line, *column, kind.map(CheckKind::name)),
    };
    let in_file = of(&|e| is_file(&e.file, file));
    if in_file.is_empty() {
        return Err(match nearest_file(record, file) {
            Some(other) => format!("the scan has no check in {file}; is {other} meant?"),
            None => format!("the scan has no check in {file}"),
        });
    }
    let entry = |i: usize| &record.findings[i];
    let here = |i: &usize| {
        let e = entry(*i);
        e.line == line && column.is_none_or(|c| c == e.column) && kind.is_none_or(|k| k == e.kind)
    };
    let found: Vec<usize> = in_file.iter().copied().filter(here).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    // Same line first, then by distance.
    let mut near = in_file;
    near.sort_by_key(|&i| {
        let e = entry(i);
        (e.line.abs_diff(line), column.map_or(0, |c| e.column.abs_diff(c)), kind.is_some_and(|k| k != e.kind))
    });
    let near: Vec<String> = near.iter().take(3).map(|&i| name(entry(i))).collect();
    let asked = column.map_or_else(|| format!("{file}:{line}"), |c| format!("{file}:{line}:{c}"));
    let asked = kind.map_or(asked.clone(), |k| format!("{asked}:{k}"));
    Err(format!("the scan has no check {asked}; the nearest are {}", near.join(", ")))
}

/// As a user can name it.
pub fn name(e: &Entry) -> String {
    format!("{}:{}:{}:{}", e.file, e.line, e.column, e.kind)
}

/// The file whose name is the most like it.
fn nearest_file<'a>(record: &'a Record, wanted: &str) -> Option<&'a str> {
    let last = |p: &str| p.rsplit('/').next().unwrap_or(p).to_string();
    let wanted = last(wanted);
    let mut files: Vec<&str> = record.findings.iter().map(|e| e.file.as_str()).filter(|f| !f.is_empty()).collect();
    files.dedup();
    let best = files.into_iter().map(|f| (distance(&last(f), &wanted), f)).min()?;
    (best.0 <= wanted.chars().count() / 3).then_some(best.1)
}

/// Edits between two short texts (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let best = (corner + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = row[j + 1];
            row[j + 1] = best;
        }
    }
    row[b.len()]
}

/// Tasks listed at most.
const MAX_TASKS: usize = 12;

/// All that is known about a finding.
pub fn text(record: &Record, e: &Entry) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_all(&mut out, record, e);
    printable(&out)
}

fn write_all(out: &mut String, record: &Record, e: &Entry) -> std::fmt::Result {
    writeln!(out, "{}", capital(&e.title))?;
    let place = if e.file.is_empty() { "at an unknown place".into() } else { name(e) };
    writeln!(out, "  check:    {place}")?;
    if !e.function.is_empty() {
        writeln!(out, "  function: {}", e.function)?;
    }
    let programs = if e.targets.iter().all(String::is_empty) { String::new() } else { e.targets.join(", ") };
    if !programs.is_empty() {
        writeln!(out, "  program:  {programs}")?;
    }
    if !e.id.is_empty() {
        writeln!(out, "  id:       {}", e.id)?;
    }
    if !e.text.is_empty() {
        writeln!(out, "  {:>6} | {}", e.line, e.text)?;
    }
    writeln!(out, "\nVerdict: {}", e.verdict)?;
    for line in verdict(e) {
        writeln!(out, "  {line}")?;
    }
    if let Some(f) = &e.failure {
        if let Some(x) = &f.execution {
            let said = if x.confirmed { "Confirmed by execution" } else { "Compiled and run, not confirmed" };
            writeln!(out, "  {said}: {}.", x.seen)?;
        }
        writeln!(out, "\nThe execution, repeated by a second interpreter:")?;
        for s in &f.steps {
            step(out, s)?;
        }
        if !f.notes.is_empty() {
            writeln!(out, "\nSee also:")?;
        }
        for s in &f.notes {
            step(out, s)?;
        }
    }
    let nobody = Program::default();
    let program = record.programs.get(e.program as usize).unwrap_or(&nobody);
    tried(out, program, e)?;
    if !e.invariants.is_empty() {
        writeln!(out, "\nThe proof leans on these invariants:")?;
        for i in &e.invariants {
            writeln!(out, "  {i}")?;
        }
    }
    if e.verdict == "unknown" && !program.externals.is_empty() {
        writeln!(out, "\nFunctions of the program without a body, whose results are free:")?;
        writeln!(out, "  {}", program.externals.join(", "))?;
    }
    Ok(())
}

/// What the verdict means here.
fn verdict(e: &Entry) -> Vec<String> {
    let mut out = Vec::new();
    match (e.verdict.as_str(), &e.failure) {
        ("violated", Some(f)) => {
            out.push(format!("The program fails it when it runs {}.", f.call));
            out.push(format!("{}.", capital(e.why.trim_end_matches('.'))));
        }
        ("latent", Some(f)) if !f.bodiless.is_empty() => {
            out.push(format!("The program fails it when it runs {}: {}.", f.call, bodiless(&f.bodiless)));
            out.push(format!("{}.", capital(e.why.trim_end_matches('.'))));
        }
        ("latent", Some(f)) => {
            out.push(format!(
                "The call {} fails it; the input contract allows the call, no caller excludes it.",
                f.call
            ));
            if let Some(m) = &f.made_up {
                out.push(format!("It was given a {m} that the library did not make."));
            }
            if let Some(c) = &f.condition {
                out.push(format!("It fails when {c}."));
            }
            out.push(format!("{}.", capital(e.why.trim_end_matches('.'))));
        }
        ("proved", _) => {
            let (how, again) = match e.why.strip_suffix(" (not re-checked)") {
                Some(how) => (how, "The proof was not shown a second time by the independent checker."),
                None => (e.why.as_str(), "The independent checker has shown it a second time."),
            };
            out.push("No execution fails it, under the assumptions of the scan.".into());
            if !how.is_empty() {
                out.push(format!("By: {how}. {again}"));
            }
        }
        ("unreachable", _) => out.push("No entry and no function of a library's boundary reaches the function.".into()),
        _ => {
            out.push(format!("Not decided: {}.", e.why));
            out.extend(advice(&e.why).map(String::from));
        }
    }
    out
}

/// What a reason means, and what may help.
fn advice(why: &str) -> Option<&'static str> {
    let (head, rest) = why.split_once(": ").unwrap_or((why, ""));
    Some(match head {
        "not proved yet" => {
            "No engine that proves has looked at it: its function is too large, or the program has several entries."
        }
        "time" => "The wall-clock limit ended the work before it was asked; scan again with more --timeout.",
        "threads" => {
            "The program, or this part of a library, starts threads; nothing is said of it without --assume-race-free."
        }
        "budget" => "A counter was used up; `verify check` on the program, or a smaller entry, has larger ones.",
        "unmodelled" => "A construct stands before it whose meaning is not modelled; behind it nothing is known.",
        "abstraction" if rest.starts_with("may fail for all that is known") => {
            "The formula has a model that fails it, in which something is free that may not be in the program: inputs of \
             the function, the state it is called in, iterations before the last ones, or results of external functions."
        }
        "abstraction" if rest.starts_with("loops beyond") => {
            "Executions go on past the unwinding, and the induction step has a counterexample."
        }
        "abstraction" => "This is what was not followed; what it may do is free.",
        _ => return None,
    })
}

fn step(out: &mut String, s: &Step) -> std::fmt::Result {
    let indent = "  ".repeat(s.depth.min(20) as usize);
    let place = if s.file.is_empty() { "?".into() } else { format!("{}:{}", s.file, s.line) };
    let values = s.values.iter().map(|(n, v)| format!("{n} = {v}"));
    let values: Vec<String> = values.filter(|v| *v != s.message).collect();
    let values = match s.message.is_empty() {
        true => values.join(", "),
        false if values.is_empty() => String::new(),
        false => format!("   [{}]", values.join(", ")),
    };
    writeln!(out, "  {place:<24} {indent}{}{values}", s.message.replace('\n', " "))
}

fn tried(out: &mut String, program: &Program, e: &Entry) -> std::fmt::Result {
    writeln!(out, "\nTried:")?;
    let mut lines = Vec::new();
    let said = |n: u32| e.tried.iter().find(|t| t.work == n).map(|t| t.result.as_str());
    let rounds = |n: u32| e.tried.iter().filter(move |t| t.work == n).flat_map(|t| &t.rounds);
    let entered = program.entered.get(&e.function).map_or(&[][..], Vec::as_slice);
    for (n, w) in (0u32..).zip(&program.work) {
        match said(n) {
            Some(result) => {
                let all: String = rounds(n).map(|r| format!("\n    {r}")).collect();
                lines.push(line(w, result) + &all);
            }
            None if entered.contains(&n) => lines.push(line(w, "entered the function; no run failed the check")),
            None => {}
        }
    }
    if lines.is_empty() {
        writeln!(out, "  nothing: no run entered the function, and no proof was attempted on it")?;
    }
    for l in lines.iter().take(MAX_TASKS) {
        writeln!(out, "  {l}")?;
    }
    if lines.len() > MAX_TASKS {
        writeln!(out, "  and {} tasks more that entered the function", lines.len() - MAX_TASKS)?;
    }
    Ok(())
}

fn line(w: &Work, result: &str) -> String {
    let mut spent = Vec::new();
    if w.runs > 0 {
        let of = if w.budget > 0 { format!(" of {}", w.budget) } else { String::new() };
        spent.push(format!("{} runs, {}{of} steps", w.runs, w.steps));
    }
    if w.queries > 0 {
        spent.push(format!("{} queries, {} conflicts, {} instructions", w.queries, w.conflicts, w.instructions));
    }
    if w.cut_off {
        spent.push("ended by the wall-clock limit".into());
    }
    let spent = if spent.is_empty() { String::new() } else { format!(" ({})", spent.join("; ")) };
    let roots = if w.roots.is_empty() { String::new() } else { format!("; roots: {}", w.roots.join(", ")) };
    let limits = if w.limits.is_empty() { String::new() } else { format!("; limits: {}", w.limits) };
    format!("{}, {}: {result}{spent}{roots}{limits}", w.engine, w.what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let e = |file: &str, line, column, kind: &str, id: &str| Entry {
            file: file.into(),
            line,
            column,
            kind: kind.into(),
            id: id.into(),
            title: "read out of bounds of `a[i]`".into(),
            function: "f".into(),
            verdict: "unknown".into(),
            why: "abstraction: may fail for all that is known".into(),
            tried: vec![crate::record::Tried { work: 1, result: "open: x".into(), rounds: Vec::new() }],
            ..Entry::default()
        };
        let work = |engine: &str, what: &str| Work { engine: engine.into(), what: what.into(), ..Work::default() };
        Record {
            format: "verify-checks".into(),
            version: crate::record::VERSION,
            tool: "0".into(),
            assumptions: vec![],
            programs: vec![Program {
                name: "p".into(),
                work: vec![
                    Work { runs: 3, steps: 70, budget: 100, ..work("probe", "main") },
                    work("kiki", "proofs in f"),
                ],
                entered: [("f".to_string(), vec![0])].into(),
                ..Program::default()
            }],
            findings: vec![
                e("src/parse.c", 10, 4, "null-deref", "aaaaaa1"),
                e("src/parse.c", 10, 9, "out-of-bounds-read", "aaaaaa2"),
                e("src/print.c", 3, 1, "leak", "bbbbbb1"),
            ],
        }
    }

    fn check(named: &str, expect: Result<&[usize], &str>) {
        let r = record();
        let found = Named::parse(named).and_then(|n| find(&r, &n));
        assert_eq!(found.as_deref().map_err(String::as_str), expect, "{named}");
    }

    #[test]
    fn checks_are_found_by_place_and_id() {
        check("src/parse.c:10", Ok(&[0, 1]));
        check("parse.c:10:9", Ok(&[1]));
        check("./src/parse.c:10:null-deref", Ok(&[0]));
        check("parse.c:10:9:out-of-bounds-read", Ok(&[1]));
        check("bbbbbb", Ok(&[2]));
        check("aaaaaa", Ok(&[0, 1]));
        check("/home/u/p/src/print.c:3", Ok(&[2]));
    }

    #[test]
    fn what_is_not_there_is_said_with_the_nearest() {
        check("cccccc", Err("the scan has no check with id cccccc"));
        check("pasre.c:10", Err("the scan has no check in pasre.c; is src/parse.c meant?"));
        check("quite_another_file.c:10", Err("the scan has no check in quite_another_file.c"));
        check("print.c:4", Err("the scan has no check print.c:4; the nearest are src/print.c:3:1:leak"));
        check("e.c:10", Err("the scan has no check in e.c"));
        check("parse.c", Err("`parse.c`: a check is named FILE:LINE[:COLUMN][:KIND], or by its id in the SARIF"));
        assert!(Named::parse("parse.c:10:nothing").unwrap_err().starts_with("there is no kind `nothing`: null-deref"));
    }

    #[test]
    fn all_is_said() {
        let r = record();
        let t = text(&r, &r.findings[1]);
        for part in [
            "Read out of bounds of `a[i]`",
            "src/parse.c:10:9:out-of-bounds-read",
            "Verdict: unknown",
            "probe, main: entered the function; no run failed the check (3 runs, 70 of 100 steps)",
            "kiki, proofs in f: open: x",
        ] {
            assert!(t.contains(part), "{part} in\n{t}");
        }
    }

    #[test]
    fn records_of_other_versions_are_refused() {
        let mut bytes = Vec::new();
        record().write(&mut bytes).unwrap();
        assert_eq!(Record::read(&bytes), Ok(record()));
        let other = String::from_utf8(bytes).unwrap().replace("\"version\":1", "\"version\":9");
        assert_eq!(Record::read(other.as_bytes()), Err("is of version 9, not 1: scan again".into()));
        assert_eq!(Record::read(b"{}"), Err("is not a record of a scan".into()));
    }
}

//! `verify check --property termination`: does every run of the program end?

use crate::check::Said;
use crate::cli::CheckOptions;
use crate::foreign::foreign_in;
use std::io::Write;
use verify_checks::KindSet;
use verify_engine::result::Verdict;
use verify_engine::subject::{Draft, ProgramInput, Subject};
use verify_engine::{ScanOptions, Silent, StopFlag};
use verify_ir::CheckKind;
use verify_kiki::Ways;
use verify_termination::{Answer, decide_program};

/// It is shown that no execution fails a check of something that C leaves undefined.
fn nothing_undefined(input: &ProgramInput, scan: &ScanOptions, stop: &StopFlag) -> bool {
    let ends = |k: &CheckKind| matches!(k, CheckKind::Leak | CheckKind::Assertion | CheckKind::ErrorCall);
    let kinds: Vec<CheckKind> = CheckKind::ALL.iter().copied().filter(|k| !ends(k) && !k.is_defined_by_c()).collect();
    let kinds = KindSet::of(&kinds);
    let mut kiki = verify_kiki::Kiki::checking(kinds, Ways::Kiki);
    // Invariants of loops are what helps: unwinding is not.
    kiki.program.unwind = 2;
    kiki.program.query_conflicts = 4_000;
    kiki.program.conflicts = 20_000;
    kiki.program.last_conflicts = 0;
    kiki.program.total_instructions = 200_000;
    let engines: [&dyn verify_engine::Engine; 2] = [&verify_kiki::ByFacts, &kiki];
    let scan = ScanOptions { kinds: Some(kinds), ..scan.clone() };
    let result = verify_engine::scan(vec![input.clone()], &engines, &scan, &Silent, stop);
    let [program] = &result.programs[..] else { return false };
    let asked = program.checks.all.iter().zip(&program.verdicts).filter(|(c, _)| kinds.contains(c.kind));
    !stop.is_set() && asked.into_iter().all(|(_, v)| matches!(v, Verdict::Proved(_) | Verdict::Unreachable))
}

/// Decides, and writes what speaks for the answer.
pub fn decide(
    input: &ProgramInput,
    scan: &ScanOptions,
    options: &CheckOptions,
    stop: &StopFlag,
    out: &mut dyn Write,
) -> anyhow::Result<Said> {
    let subject = Subject::new(Draft::new(input, scan), Vec::new());
    let [entry] = subject.draft.roots.entries[..] else {
        return Ok(Said::Unknown("several ways into the program".into()));
    };
    if let Some(name) = foreign_in(&subject) {
        return Ok(Said::Unknown(format!("unmodelled: `{name}` means something that is not known here")));
    }
    let stopped = || stop.is_set();
    let defined = || nothing_undefined(input, scan, stop);
    // The formulas of deep programs are made by deep recursion.
    let answer = std::thread::scope(|s| {
        let work = std::thread::Builder::new().stack_size(256 << 20);
        let handle = work.spawn_scoped(s, || decide_program(&subject, entry, &defined, &stopped))?;
        handle.join().map_err(|_| std::io::Error::other("the analysis broke down"))
    })?;
    let module = subject.module();
    let name = |f| &module.func(f).name;
    let said = match answer {
        Answer::Ends(loops) => {
            for l in loops.iter().filter(|_| options.list) {
                let tuple = if l.ranking.components.is_empty() {
                    "never comes round".to_string()
                } else {
                    format!("goes down: ({})", l.ranking.components.join(", "))
                };
                let every =
                    if l.iterations == 1 { String::new() } else { format!(", every {} iterations", l.iterations) };
                match l.calls {
                    true => writeln!(out, "recursion of `{}`, line {}: {tuple}", name(l.func), l.line)?,
                    false => writeln!(out, "loop in `{}`, line {}: {tuple}{every}", name(l.func), l.line)?,
                }
            }
            Said::True
        }
        Answer::Endless(lasso) => {
            let (stem, turn, line) = (lasso.stem, lasso.steps - lasso.stem, lasso.line);
            writeln!(
                out,
                "endless: after {stem} steps the execution is in line {line}, and {turn} steps later there again in the same state"
            )?;
            Said::False("termination")
        }
        Answer::Recurrent(r) => {
            let (line, steps) = (r.line, r.steps);
            let once = match &r.set[..] {
                [] => String::new(),
                set => format!(" once {} holds at its head", set.join(" && ")),
            };
            writeln!(
                out,
                "endless: the loop in line {line} is never left{once}, and an execution gets there ({steps} steps of it were followed)"
            )?;
            Said::False("termination")
        }
        Answer::Open(why) => Said::Unknown(why),
    };
    out.flush()?;
    Ok(said)
}

//! The prover as an [`Engine`]: one task for the program from its entry, one for each function with open checks.

use crate::choices::{Choices, FromModel};
use crate::context;
use crate::parts;
use crate::prove::{Limits, Prover, Spent, Ways};
use crate::recheck::{self, Effort, Recheck};
use crate::suggest;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use verify_checks::{CheckId, KindSet};
use verify_encode::{Domain, Library, Root, Rules};
use verify_engine::engine::Argument;
use verify_engine::meter;
use verify_engine::replay;
use verify_engine::result::{TargetKind, UnknownReason};
use verify_engine::{
    Attribution, Budget, Certificate, Engine, Obligation, Outcome, Scope, Solving, Start, StopFlag, Subject, Task,
    TaskReport,
};
use verify_interp::{Config, Recorder};
use verify_ir::{CheckKind, FuncId, Terminator, noted};

/// Said of checks that no formula of a call speaks of.
const ONLY_AT_THE_END: &str = "whether it fails shows at the end of the program only";

/// Steps of a replay.
const REPLAY_STEPS: u64 = 5_000_000;

/// Functions with more instructions are asked in parts, if at all: with the budgets of a short scan little comes of it.
const FUNCTION_INSTRUCTIONS: u64 = 150;
/// The same for whole programs, library models included.
const PROGRAM_INSTRUCTIONS: u64 = 20_000;

fn size(subject: &Subject, f: FuncId) -> u64 {
    let body = subject.module().func(f).body.as_ref();
    body.map_or(0, |b| b.blocks.iter().map(|k| k.insts.len() as u64 + 1).sum())
}

/// Work on showing the proofs of one formula again, for one program.
const RECHECK: Effort = Effort {
    limits: verify_certify::Limits { conflicts: 20_000, instructions: 100_000, terms: 1_000_000 },
    again: true,
};
/// The same in a scan.
const RECHECK_IN_SCAN: Effort =
    Effort { limits: verify_certify::Limits { conflicts: 2_000, instructions: 30_000, terms: 300_000 }, again: false };
/// Said of proofs that only one of the two encodings found.
const NOT_AGAIN: &str = " (not re-checked)";

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Kiki {
    /// For the program from its entry.
    pub program: Limits,
    /// For one function; `None`: functions are not asked by themselves.
    pub function: Option<Limits>,
    /// Work on the program ends once a check of one of these kinds is refuted.
    pub until: KindSet,
    /// Signed arithmetic wraps around, and executions go on. Such proofs lean on no facts, and only the solver's word.
    pub wraps: bool,
    /// Functions that are too large to be asked whole are asked part by part.
    pub parts: bool,
}

impl Kiki {
    /// For whole projects: small pieces.
    pub fn scanning() -> Kiki {
        let function = Limits {
            unwind: 2,
            query_conflicts: 100,
            last_conflicts: 0,
            conflicts: 400,
            idle: 200,
            instructions: 1_500,
            total_instructions: 4_000,
            terms: 20_000,
            depth: 1,
            recursion: 1,
            replays: 0,
            ways: Ways::Kiki,
            domain: Domain::Zones,
            inference: 60,
            apart: false,
            wanted: KindSet::EMPTY,
        };
        let program = Limits {
            unwind: 4,
            query_conflicts: 500,
            last_conflicts: 0,
            conflicts: 2_000,
            idle: 600,
            instructions: 10_000,
            total_instructions: 30_000,
            terms: 150_000,
            recursion: 2,
            ..Limits::default()
        };
        Kiki { program, function: Some(function), until: KindSet::EMPTY, wraps: false, parts: false }
    }

    /// The same with ten times the budget and sums of variables among the rows: what is worth trying when time is left.
    pub fn checking_longer(kinds: KindSet, ways: Ways) -> Kiki {
        let mut kiki = Kiki::checking(kinds, ways);
        let p = &mut kiki.program;
        p.query_conflicts *= 10;
        p.conflicts *= 10;
        p.total_instructions *= 4;
        p.inference *= 4;
        p.apart = true;
        p.domain = Domain::Octagons;
        kiki
    }

    /// For one program that is to be decided: whether a check of one of these kinds can fail.
    pub fn checking(kinds: KindSet, ways: Ways) -> Kiki {
        let program = Limits { ways, wanted: kinds, ..Limits::default() };
        Kiki { program, function: None, until: kinds, wraps: false, parts: false }
    }
}

fn library(subject: &Subject) -> Arc<Library> {
    subject.shared(|| Library::new(subject.module()))
}

/// Proofs from the entry hold for all executions when there is one entry and no other way in.
pub(crate) fn only_entry(subject: &Subject) -> Option<FuncId> {
    let roots = &subject.draft.roots;
    match (roots.entries.as_slice(), roots.boundary.is_empty()) {
        ([main], true) => Some(*main),
        _ => None,
    }
}

impl Engine for Kiki {
    fn name(&self) -> &'static str {
        "kiki"
    }

    fn parameters(&self, _: Budget) -> String {
        format!("{self:?}")
    }

    fn scope(&self, _: &Subject, task: &Task) -> Scope {
        if task.number > 0 { Scope::Proofs(FuncId(task.number - 1)) } else { Scope::Program }
    }

    fn whole(&self, subject: &Subject) -> String {
        library(subject).in_words(subject.module())
    }

    fn tasks(&self, subject: &Subject, open: &BTreeSet<CheckId>) -> Vec<Task> {
        let mut out = Vec::new();
        let whole: u64 = subject.draft.reach.size_of(&subject.draft.reach.may_run(&subject.draft.roots.entries));
        if let Some(main) = only_entry(subject)
            && !open.is_empty()
            && (self.function.is_none() || whole <= PROGRAM_INSTRUCTIONS)
        {
            let what = format!("proofs from {}", subject.module().func(main).name);
            out.push(Task { what, number: 0, weight: 1 });
        }
        if self.function.is_some() {
            let functions: BTreeSet<FuncId> = open.iter().map(|c| subject.checks.get(*c).func).collect();
            for f in functions {
                let what = format!("proofs in {}", subject.module().func(f).name);
                out.push(Task { what, number: f.0 + 1, weight: 1 });
            }
        }
        out
    }

    fn run(&self, subject: &Subject, open: &BTreeSet<CheckId>, task: &Task, _: Budget, stop: &StopFlag) -> TaskReport {
        let calls = subject.draft.reach.calls();
        let rules = Rules {
            allocation_succeeds: subject.draft.rules.allocation_succeeds,
            externals_pure: subject.draft.rules.externals_pure,
            whole_objects: subject.draft.rules.whole_objects,
            uninit_is_arbitrary: subject.draft.rules.uninit_is_arbitrary,
            leaks: true,
            open: subject.draft.kind != TargetKind::Executable,
        };
        let taken = subject.address_taken();
        let stopped = || stop.is_set();
        let facts = (self.program.ways == Ways::Kiki && !self.wraps).then(|| subject.settled(&stopped));
        let guesses =
            (self.function.is_none() && self.program.ways == Ways::Kiki).then(|| suggest::Guesses::new(subject));
        let p = Prover {
            module: subject.module(),
            checks: &subject.checks,
            calls,
            address_taken: taken,
            rules,
            facts,
            wraps: self.wraps,
            suggest: guesses.as_ref(),
            library: library(subject),
        };
        let mut report = TaskReport::default();
        match (task.number, self.function) {
            (0, _) => self.program(subject, &p, open, &mut report, &stopped),
            (n, Some(limits)) => {
                let f = FuncId(n - 1);
                let of_others = |c: &CheckId| noted::aside(|| subject.checks.get(*c).func != f);
                let mine = open.iter().copied().filter(|c| !of_others(c));
                let (lost, mine): (BTreeSet<CheckId>, BTreeSet<CheckId>) = mine.partition(|c| at_the_end(subject, *c));
                for c in lost {
                    let why = UnknownReason::Abstraction(ONLY_AT_THE_END.into());
                    report.outcomes.push((Obligation::Check(c), Outcome::Open(why)));
                }
                let roots = &subject.draft.roots;
                let may_climb = |g: FuncId| {
                    !calls.called_from_outside(g)
                        && !roots.entries.contains(&g)
                        && !roots.boundary.contains(&g)
                        && taken.binary_search(&g).is_err()
                        && !is_implicit(subject, g)
                };
                let a = match (size(subject, f) <= FUNCTION_INSTRUCTIONS, self.parts) {
                    (true, _) => context::ask(&p, f, &mine, &may_climb, limits, &stopped),
                    (false, true) => parts::ask(&p, f, &mine, limits, &stopped),
                    (false, false) => {
                        let why = format!(
                            "budget: functions of more than {FUNCTION_INSTRUCTIONS} instructions are asked with `--budget \
                             nightly` only"
                        );
                        context::Answer { open: mine.iter().map(|c| (*c, why.clone())).collect(), ..Default::default() }
                    }
                };
                report.limits = in_words(&limits);
                report.roots = a.roots.iter().map(|f| subject.module().func(*f).name.clone()).collect();
                report.solving = solving(&a.spent);
                report.rounds = a.rounds;
                report.arguments = a.arguments;
                report.arguments.retain(|x| x.checks.iter().all(|c| a.proved.contains_key(c)));
                for (c, how) in a.proved {
                    let how = how + NOT_AGAIN;
                    report.outcomes.push((Obligation::Check(c), Outcome::Proved { how }));
                }
                for (c, why) in a.open {
                    report.outcomes.push((Obligation::Check(c), Outcome::Open(reason(why))));
                }
            }
            _ => {}
        }
        report.cut_off = stop.is_set();
        report
    }
}

/// Limits for people.
fn in_words(l: &Limits) -> String {
    format!(
        "loops up to {} iterations, calls {} deep, {} instructions in one formula and {} in all, {} conflicts in one \
         query and {} in all",
        l.unwind, l.depth, l.instructions, l.total_instructions, l.query_conflicts, l.conflicts
    )
}

fn solving(s: &Spent) -> Solving {
    Solving { queries: s.queries, conflicts: s.conflicts, instructions: s.instructions, replays: s.replays }
}

/// The check may fail after the last function of the program has returned: memory is lost, or the library's code at the
/// exit goes wrong. Formulas of a call do not go that far.
fn at_the_end(subject: &Subject, id: CheckId) -> bool {
    let c = subject.checks.get(id);
    let f = subject.module().func(c.func);
    let returns = f.body.as_ref().is_some_and(|b| {
        let data = b.block(c.loc.block);
        c.loc.inst as usize == data.insts.len() && matches!(data.term, Terminator::Return(_))
    });
    c.kind == CheckKind::Leak || f.name == "main" && returns
}

/// Constructors and the like are called by the system.
fn is_implicit(subject: &Subject, f: FuncId) -> bool {
    noted::function(f);
    subject.implicit().contains(&f)
}

fn reason(why: String) -> UnknownReason {
    if why == "threads" || why.starts_with("threads in") {
        UnknownReason::Threads
    } else if why == "time" {
        UnknownReason::Time
    } else if let Some(b) = why.strip_prefix("budget: ") {
        UnknownReason::Budget(b.to_string())
    } else if why.contains("not encoded") {
        UnknownReason::Unmodelled(why)
    } else {
        UnknownReason::Abstraction(why)
    }
}

impl Kiki {
    fn program(
        &self,
        subject: &Subject,
        p: &Prover<'_>,
        open: &BTreeSet<CheckId>,
        report: &mut TaskReport,
        time_is_over: recheck::Stop<'_>,
    ) {
        let Some(main) = only_entry(subject) else { return };
        let is_main = subject.module().func(main).name == "main";
        let mut refuted: BTreeSet<CheckId> = BTreeSet::new();
        let decided = std::cell::Cell::new(false);
        let mut offer = |choices: &Choices| {
            let _running = meter::start(meter::Phase::Replay);
            let start = if is_main { Start::Main(choices.arguments.clone()) } else { Start::Function(main) };
            let mut script = Recorder::new(FromModel::new(choices));
            let ask_contents = choices.has_contents();
            let config = Config { max_steps: REPLAY_STEPS, ask_contents, ..replay::config(&start) };
            let outcome = replay::run(subject, &start, &mut script, &config);
            report.spent.run(outcome.steps);
            let failure = outcome.end.failure()?;
            let Attribution::Check(found) = subject.attribute(failure) else { return None };
            let (_, recording) = script.into_parts();
            match replay::confirm(subject, &start, &recording, found) {
                Ok(c) => {
                    decided.set(decided.get() || self.until.contains(subject.checks.get(found).kind));
                    if refuted.insert(found) {
                        report.outcomes.push((
                            Obligation::Check(found),
                            Outcome::Refuted {
                                certificate: Certificate::ReplayedTrace(c.trace),
                                evidence: Box::new(c.evidence),
                                leaning: Vec::new(),
                                rank: outcome.steps,
                            },
                        ));
                    }
                }
                Err(e) => report.inconsistencies.push(e),
            }
            refuted.contains(&found).then_some(found)
        };
        let stop = || time_is_over() || decided.get();
        let r = p.run(Root::Program(main), &BTreeSet::new(), open, self.program, &mut offer, &stop);
        report.limits = in_words(&self.program);
        report.solving = solving(&r.spent);
        let name = &subject.module().func(main).name;
        if decided.get() {
            return;
        }
        let effort = if self.function.is_some() { RECHECK_IN_SCAN } else { RECHECK };
        let again = {
            let _running = meter::start(meter::Phase::Recheck);
            // The second encoding knows of no other arithmetic than C's.
            if self.wraps { Vec::new() } else { recheck::each(p, &r.proved, &BTreeSet::new(), effort, time_is_over) }
        };
        for r in again.iter().filter(|r| !r.certificate.invariants.is_empty()) {
            let shown_again = r.each.values().all(|e| *e == Recheck::Accepted);
            let invariants = if shown_again { r.certificate.invariants.clone() } else { r.found.clone() };
            report.arguments.push(Argument { checks: r.certificate.proved.clone(), invariants, shown_again });
        }
        report.rounds = r.rounds;
        let again: BTreeMap<CheckId, Recheck> = again.into_iter().flat_map(|r| r.each).collect();
        for (c, proof) in &r.proved {
            let how = proof.describe(name);
            let outcome = match again.get(c) {
                Some(Recheck::Accepted) => Outcome::Proved { how },
                Some(Recheck::Wrong) => {
                    let check = subject.checks.get(*c);
                    let line = subject.module().span(check.span).line;
                    let text = format!("a proof was refused: {} in line {line}, by {how}", check.kind);
                    report.inconsistencies.push(text.clone());
                    Outcome::Open(UnknownReason::Abstraction(format!("internal inconsistency: {text}")))
                }
                // What the second encoding does not cover yet (output of computed length, loops over made objects)
                // is in too many programs to be given up for it.
                Some(Recheck::NotShown(_)) | None => Outcome::Proved { how: how + NOT_AGAIN },
            };
            report.outcomes.push((Obligation::Check(*c), outcome));
        }
        for c in open.iter().filter(|c| !r.proved.contains_key(c) && !refuted.contains(c)) {
            let why = r.reasons.get(c).cloned().or_else(|| r.stuck.clone());
            let why = why.unwrap_or_else(|| "may fail for all that is known".into());
            report.outcomes.push((Obligation::Check(*c), Outcome::Open(reason(why))));
        }
        report.externals.extend(r.externals);
        report.externals.sort();
        report.externals.dedup();
    }
}

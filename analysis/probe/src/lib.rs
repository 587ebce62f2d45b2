//! The first engine: runs programs in the interpreter on chosen inputs and reports what fails. It finds; it never
//! proves, and what it does not find means nothing.
//!
//! Every declared entry and every function at the boundary of a library is run under the input contract, libraries
//! also through sequences of calls. Inputs are random within a plan (lengths that fit buffers, constants of the code,
//! texts made of its literals), and inputs that reached new code are mutated (coverage-guided, as in greybox fuzzing).
//!
//! Invariants of this crate:
//! - The work of a task depends on the program, the function's name and the budget only.
//! - Nothing is reported that was not replayed by [`verify_engine::replay::confirm`].
#![forbid(unsafe_code)]

pub mod condition;
pub mod correspond;
pub mod dictionary;
pub mod explore;
pub mod generate;
pub mod genome;
pub mod minimise;
pub mod rng;
pub mod sequences;
pub mod states;
mod wishes;

use explore::Explorer;
use std::collections::BTreeSet;
use verify_checks::CheckId;
use verify_engine::{Budget, Draft, Engine, Scope, Sequence, Start, StopFlag, Subject, Task, TaskReport};

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct Probe;

/// The same with a small budget, for programs: what fails in one run of a few is found before anything is proved, and
/// what no run of a few fails costs little.
#[derive(Clone, Copy, Default, Debug)]
pub struct FirstRuns;

/// Explicit-state search of programs ([`states`]), with so many steps.
#[derive(Clone, Copy, Debug)]
pub struct States(pub u64);

/// What [`FirstRuns`] may spend.
const FIRST: Budget = Budget { steps: 12_000_000, runs: 96 };

/// Weight that a task has whatever its size, and the size beyond which code counts no more for a library function.
const BASE_WEIGHT: u64 = 50;
const MOST_WEIGHT: u64 = 4_000;
/// How much more a sequence counts in which a function reads what its inverse wrote.
const ROUND_TRIP: u64 = 4;

impl Probe {
    /// The starts of a program in the order of their task numbers.
    fn starts(subject: &Subject) -> Vec<(Start, String, u64)> {
        let (module, draft) = (subject.module(), &subject.draft);
        let size = |roots: &[verify_ir::FuncId]| draft.reach.size_of(&draft.reach.from(roots));
        let mut out = Vec::new();
        for &f in &draft.roots.entries {
            let func = module.func(f);
            let start = if func.name == "main" { Start::Main(Vec::new()) } else { Start::Function(f) };
            out.push((start, func.name.clone(), BASE_WEIGHT + size(&[f])));
        }
        for &f in &draft.roots.boundary {
            let weight = BASE_WEIGHT + size(&[f]).min(MOST_WEIGHT);
            out.push((Start::Function(f), module.func(f).name.clone(), weight));
        }
        for (i, s) in subject.sequences.iter().enumerate() {
            let calls: Vec<_> = s.calls.iter().map(|c| c.func).collect();
            let names: Vec<&str> = calls.iter().map(|&f| module.func(f).name.as_str()).collect();
            let mut weight = BASE_WEIGHT + size(&calls).min(MOST_WEIGHT) * 3 / 2;
            // What is made by the inverse gets through the checks for what is well-formed, and deeper than all else.
            let trip = |(k, name): (usize, &&str)| {
                let made = |i: usize| sequences::undoes(name, names[i]) && sequences::goes_on(&s.calls, i, k);
                (0..k).any(made)
            };
            if names.iter().enumerate().any(trip) {
                weight *= ROUND_TRIP;
            }
            out.push((Start::Sequence(i as u32), names.join("; "), weight));
        }
        out
    }
}

impl Engine for Probe {
    fn name(&self) -> &'static str {
        "probe"
    }

    fn sequences(&self, draft: &Draft) -> Vec<Sequence> {
        sequences::plan(draft)
    }

    fn scope(&self, subject: &Subject, task: &Task) -> Scope {
        let sequence = match Probe::start(subject, task) {
            Start::Sequence(n) => Some(n),
            Start::Main(_) | Start::Function(_) => None,
        };
        Scope::Runs { sequence }
    }

    fn begins_with(&self, subject: &Subject, task: &Task) -> String {
        explore::begins_with(subject, &Probe::start(subject, task))
    }

    fn whole(&self, subject: &Subject) -> String {
        subject.ownership().in_words()
    }

    fn tasks(&self, subject: &Subject, _: &BTreeSet<CheckId>) -> Vec<Task> {
        Probe::starts(subject)
            .into_iter()
            .enumerate()
            .map(|(i, (_, what, weight))| Task { what, number: i as u32, weight })
            .collect()
    }

    fn run(
        &self,
        subject: &Subject,
        _: &BTreeSet<CheckId>,
        task: &Task,
        budget: Budget,
        stop: &StopFlag,
    ) -> TaskReport {
        Explorer::new(subject, Probe::start(subject, task), budget, rng::stable_hash(task.what.as_bytes()))
            .explore(stop)
    }
}

impl Engine for FirstRuns {
    fn name(&self) -> &'static str {
        "first runs"
    }

    fn tasks(&self, subject: &Subject, open: &BTreeSet<CheckId>) -> Vec<Task> {
        let entries = subject.draft.roots.entries.len();
        Probe.tasks(subject, open).into_iter().take(entries).collect()
    }

    fn run(
        &self,
        subject: &Subject,
        _: &BTreeSet<CheckId>,
        task: &Task,
        budget: Budget,
        stop: &StopFlag,
    ) -> TaskReport {
        let budget = Budget { steps: budget.steps.min(FIRST.steps), runs: budget.runs.min(FIRST.runs) };
        // Other runs than those of the whole search.
        let seed = rng::stable_hash(format!("{} at first", task.what).as_bytes());
        Explorer::new(subject, Probe::start(subject, task), budget, seed).explore(stop)
    }
}

impl Engine for States {
    fn name(&self) -> &'static str {
        "states"
    }

    fn tasks(&self, subject: &Subject, open: &BTreeSet<CheckId>) -> Vec<Task> {
        FirstRuns.tasks(subject, open)
    }

    fn run(
        &self,
        subject: &Subject,
        _: &BTreeSet<CheckId>,
        task: &Task,
        budget: Budget,
        stop: &StopFlag,
    ) -> TaskReport {
        let budget = Budget { steps: self.0, ..budget };
        Explorer::new(subject, Probe::start(subject, task), budget, 0).states(stop)
    }
}

impl Probe {
    /// Where a task starts.
    fn start(subject: &Subject, task: &Task) -> Start {
        let (entries, boundary) = (&subject.draft.roots.entries, &subject.draft.roots.boundary);
        let n = task.number as usize;
        if let Some(&f) = entries.iter().chain(boundary).nth(n) {
            if n < entries.len() && subject.module().func(f).name == "main" {
                Start::Main(Vec::new())
            } else {
                Start::Function(f)
            }
        } else {
            Start::Sequence((n - entries.len() - boundary.len()) as u32)
        }
    }
}

//! The walk as an engine: one task for a program with one entry. What a walk to the end leaves closed is proved; a second
//! walk that folds later may close more.

use crate::cases::Data;
use crate::walk::{Limits, walk};
use std::collections::BTreeSet;
use verify_checks::{CheckId, KindSet};
use verify_engine::{Budget, Engine, Obligation, Outcome, StopFlag, Subject, Task, TaskReport};
use verify_ir::FuncId;

/// Chains are folded from this many nodes on, and so is what they hold, one walk after the other.
const WALKS: [(u32, Data); 4] = [(2, Data::Hull), (3, Data::Hull), (2, Data::Same), (2, Data::Cases)];

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Smg {
    /// Of one walk.
    pub steps: u64,
    /// States at one block.
    pub states: usize,
    /// A walk is of use only while no check of these kinds may fail.
    pub until: KindSet,
    /// Sums that overflow wrap around, and executions go on.
    pub wraps: bool,
}

impl Smg {
    /// For one program that is to be decided: whether a check of one of these kinds can fail.
    pub fn checking(until: KindSet) -> Smg {
        Smg { steps: 200_000, states: 200, until, wraps: false }
    }
}

fn only_entry(subject: &Subject) -> Option<FuncId> {
    let roots = &subject.draft.roots;
    match (roots.entries.as_slice(), roots.boundary.is_empty()) {
        ([main], true) => Some(*main),
        _ => None,
    }
}

impl Engine for Smg {
    fn name(&self) -> &'static str {
        "smg"
    }

    fn tasks(&self, subject: &Subject, open: &BTreeSet<CheckId>) -> Vec<Task> {
        match only_entry(subject) {
            Some(main) if !open.is_empty() => {
                let what = format!("memory graphs from {}", subject.module().func(main).name);
                vec![Task { what, number: 0, weight: 1 }]
            }
            _ => Vec::new(),
        }
    }

    fn run(&self, subject: &Subject, open: &BTreeSet<CheckId>, _: &Task, _: Budget, stop: &StopFlag) -> TaskReport {
        let mut report = TaskReport::default();
        let Some(main) = only_entry(subject) else { return report };
        let mut left = open.clone();
        let mut told = Vec::new();
        for (threshold, data) in WALKS {
            if left.is_empty() {
                break;
            }
            let limits = Limits { steps: self.steps, states: self.states, threshold, data, wraps: self.wraps };
            let needed = left.iter().copied().filter(|c| self.until.contains(subject.checks.get(*c).kind)).collect();
            let stopped = || stop.is_set();
            let found = walk(subject.module(), &subject.checks, subject.draft.rules, main, limits, &needed, &stopped);
            if let Some(reason) = found.given_up {
                told.push(format!("given up after {} ({reason})", found.steps));
                // Another walk follows no more of the program, but may say more of it.
                if reason.starts_with("budget") || reason.starts_with("some state") {
                    continue;
                }
                break;
            }
            told.push(format!("{} done", found.steps));
            let (proved, open): (BTreeSet<CheckId>, BTreeSet<CheckId>) =
                left.into_iter().partition(|c| !found.open.contains(c));
            for c in proved {
                let how = "symbolic memory graphs from the entry (not re-checked)".to_string();
                report.outcomes.push((Obligation::Check(c), Outcome::Proved { how }));
            }
            left = open;
        }
        report.limits =
            format!("{} instructions in a walk, {} states at a block: {}", self.steps, self.states, told.join(", "));
        report.cut_off = stop.is_set();
        report
    }
}

//! What was done about each check, for explanations: nothing here decides anything.

use crate::budget::Budget;
use crate::engine::{Argument, Obligation, Outcome, Solving, Task, TaskReport};
use crate::result::UnknownReason;
use std::collections::BTreeMap;
use verify_checks::CheckId;
use verify_ir::FuncId;

/// A task that was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Work {
    /// The engine.
    pub engine: &'static str,
    /// The task's name for itself: `main`, `proofs in parse`.
    pub what: String,
    /// What bounded it, in words.
    pub limits: String,
    /// Functions that executions were started in, by name, when the name of the task does not say it.
    pub roots: Vec<String>,
    /// Interpreter runs.
    pub runs: u64,
    /// Interpreter steps.
    pub steps: u64,
    /// Interpreter steps that it was given.
    pub budget: u64,
    /// Solver work.
    pub solving: Solving,
    /// The wall-clock limit ended it.
    pub cut_off: bool,
}

/// What a task says about a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// Index in [`History::work`].
    pub work: u32,
    /// `refuted`, `proved: ...`, `open: ...`.
    pub result: String,
    /// What was tried, one line after the other.
    pub rounds: Vec<String>,
}

/// The work on a program.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct History {
    /// Tasks, in the order of the plan.
    pub work: Vec<Work>,
    /// What they say about checks, in the order of the plan.
    pub tried: BTreeMap<CheckId, Vec<Tried>>,
    /// Tasks whose runs entered a function: indices in `work`, in order.
    pub entered: BTreeMap<FuncId, Vec<u32>>,
    /// What proofs lean on.
    pub arguments: Vec<Argument>,
}

impl History {
    /// Adds what a task reports.
    pub fn add(&mut self, engine: &'static str, task: &Task, budget: Budget, r: &TaskReport) {
        let n = self.work.len() as u32;
        for (Obligation::Check(c), o) in &r.outcomes {
            let result = match o {
                Outcome::Refuted { .. } => "refuted".to_string(),
                Outcome::Proved { how } => format!("proved: {how}"),
                Outcome::Open(UnknownReason::NotProvedYet) => continue,
                Outcome::Open(why) => format!("open: {why}"),
            };
            self.tried.entry(*c).or_default().push(Tried {
                work: n,
                result,
                rounds: r.rounds.get(c).cloned().unwrap_or_default(),
            });
        }
        self.arguments.extend(r.arguments.iter().cloned());
        for f in &r.entered {
            self.entered.entry(*f).or_default().push(n);
        }
        self.work.push(Work {
            engine,
            what: task.what.clone(),
            limits: r.limits.clone(),
            roots: r.roots.clone(),
            runs: r.spent.runs,
            steps: r.spent.steps,
            budget: budget.steps,
            solving: r.solving,
            cut_off: r.cut_off,
        });
    }

    /// Solver work of all tasks.
    pub fn solving(&self) -> Solving {
        let mut sum = Solving::default();
        self.work.iter().for_each(|w| sum += w.solving);
        sum
    }
}

//! The vocabulary of all engines: what is asked ([`Obligation`]), what comes back ([`Outcome`]), and why another
//! engine may believe it ([`Certificate`]).
//!
//! Invariant: an engine never trusts another engine's word without its certificate. A [`Certificate`] can only be made
//! by the code that checks it (here: [`crate::replay::confirm`]).

use crate::budget::{Budget, Spent};
use crate::replay::ReplayedTrace;
use crate::result::{Evidence, UnknownReason};
use crate::sequence::Sequence;
use crate::subject::{Draft, Subject};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use verify_checks::CheckId;
use verify_facts::invariant::LoopInvariant;
use verify_ir::FuncId;

/// A question about a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Obligation {
    /// No execution fails this check.
    Check(CheckId),
}

/// What an answer depends on besides the text of the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Leaning {
    /// The inputs of this function, chosen within the input contract.
    Inputs(FuncId),
    /// The results and effects of these functions without a body, chosen freely.
    Externals(Vec<String>),
}

/// The answer to an obligation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Outcome {
    /// It does not hold.
    Refuted {
        /// The execution that shows it, confirmed.
        certificate: Certificate,
        /// The same for people.
        evidence: Box<Evidence>,
        /// What the execution leans on; nothing: it is one of the program as it stands.
        leaning: Vec<Leaning>,
        /// Order among executions that refute the same: lower is more telling.
        rank: u64,
    },
    /// It holds in every execution of the program, under the assumptions.
    Proved {
        /// The argument, for people: `k-induction with k = 2 in f`.
        how: String,
    },
    /// Not decided.
    Open(UnknownReason),
}

/// Why an outcome can be believed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Certificate {
    /// An execution that a fresh interpreter repeated.
    ReplayedTrace(ReplayedTrace),
}

/// A piece of an engine's work on a program, independent of all others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The function it is about, for progress.
    pub what: String,
    /// What it means to the engine.
    pub number: u32,
    /// Share of the budget it should get.
    pub weight: u64,
}

/// What a task found.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct TaskReport {
    /// Answers, in the order they were found; at most one per obligation.
    pub outcomes: Vec<(Obligation, Outcome)>,
    /// Functions that some run entered, sorted.
    pub entered: Vec<FuncId>,
    /// Functions without a body that were called, sorted.
    pub externals: Vec<String>,
    /// Unmodelled constructs that ended runs: the function and a sentence with the place, sorted.
    pub unmodelled: Vec<(FuncId, String)>,
    /// Defects of this tool that showed, as sentences.
    pub inconsistencies: Vec<String>,
    /// What was used.
    pub spent: Spent,
    /// Solver work, for engines that have a solver.
    pub solving: Solving,
    /// What bounded the work, in words; empty: the budget of the task alone.
    pub limits: String,
    /// The functions whose executions were looked at, by name, where that is not what the task is called.
    pub roots: Vec<String>,
    /// The stop flag ended it before its budget did.
    pub cut_off: bool,
    /// What proofs lean on.
    pub arguments: Vec<Argument>,
    /// What was tried on checks that were looked at, one line after the other.
    pub rounds: BTreeMap<CheckId, Vec<String>>,
}

/// What proofs lean on besides the program: invariants of loops.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Argument {
    /// The checks that are proved.
    pub checks: BTreeSet<CheckId>,
    /// What holds at loops.
    pub invariants: Vec<LoopInvariant>,
    /// The independent checker has shown it, too.
    pub shown_again: bool,
}

/// Solver work.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Solving {
    /// Queries.
    pub queries: u64,
    /// Conflicts of all queries.
    pub conflicts: u64,
    /// Instructions in all formulas.
    pub instructions: u64,
    /// Models that the interpreter repeated, or tried to.
    pub replays: u64,
}

impl std::ops::AddAssign for Solving {
    fn add_assign(&mut self, o: Solving) {
        self.queries += o.queries;
        self.conflicts += o.conflicts;
        self.instructions += o.instructions;
        self.replays += o.replays;
    }
}

/// The user's wall-clock limit: set from outside, looked at between runs.
#[derive(Debug, Default)]
pub struct StopFlag(AtomicBool);

impl StopFlag {
    /// Not set.
    pub const fn new() -> StopFlag {
        StopFlag(AtomicBool::new(false))
    }
    /// Ends all work as soon as possible.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
    /// Work shall end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How much of a program a task's report can depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// On everything.
    Program,
    /// The task looks at the program by what notes ([`verify_ir::noted`]) and by what [`Engine::whole`] says; of the open checks,
    /// at those of this function only. Its report is that of any program in which this is the same.
    Proofs(FuncId),
    /// It runs the program: by what notes and what [`Engine::begins_with`] and [`Engine::whole`] say, not by facts, nor by open
    /// checks.
    Runs {
        /// The sequence of calls that it runs, if it runs one.
        sequence: Option<u32>,
    },
}

/// A way to answer obligations.
///
/// Invariant: `tasks` and `run` are functions of their arguments (the stop flag excepted); no clock, no shared state.
pub trait Engine: Sync + std::fmt::Debug {
    /// Name, for reports.
    fn name(&self) -> &'static str;
    /// Sequences of calls it wants to run, decided before the program is translated.
    fn sequences(&self, draft: &Draft) -> Vec<Sequence> {
        let _ = draft;
        Vec::new()
    }
    /// What its work depends on besides the program, the checks that are open, and the task: its own limits and what of the
    /// budget it looks at. Reports under the same words are taken for each other ([`crate::Memory`]).
    fn parameters(&self, budget: Budget) -> String {
        format!("{self:?} {budget:?}")
    }
    /// How much of a program a task's report can depend on.
    fn scope(&self, subject: &Subject, task: &Task) -> Scope {
        let _ = (subject, task);
        Scope::Program
    }
    /// What a task that runs the program begins with besides, in words that mean the same in every program.
    fn begins_with(&self, subject: &Subject, task: &Task) -> String {
        let _ = (subject, task);
        String::new()
    }
    /// What such tasks know of the program as a whole, in words that mean the same in every program.
    fn whole(&self, subject: &Subject) -> String {
        let _ = subject;
        String::new()
    }
    /// Its work on a program, of which `open` is not decided yet.
    fn tasks(&self, subject: &Subject, open: &BTreeSet<CheckId>) -> Vec<Task>;
    /// Does one piece of it.
    fn run(
        &self,
        subject: &Subject,
        open: &BTreeSet<CheckId>,
        task: &Task,
        budget: Budget,
        stop: &StopFlag,
    ) -> TaskReport;
}

//! Re-checks proofs: a second way from a program to terms, written from the semantics of the IR and independent of the
//! one that found the proof (N-version programming: Avizienis 1985). What both find to have no model is believed.
//!
//! ```text
//! state    values, objects, states of paths, merging
//! exec     the walk: blocks in order, what fails;  loops: unrolled, or entered in the middle;  rows: their invariants
//! inst     instructions;  float: those of floating point;  memory: accesses and contents;  call: calls, primitives, start and end of the program
//! ```
//!
//! Method: path-merging symbolic execution over the unrolled control flow. Memory is one flat world: each object is a
//! vector of bytes (or an array of the solver), each byte with its definedness and its share of a pointer.
//!
//! Invariants of this crate:
//! - It shares no code with the encoder of the prover, and knows of the proof only what [`Certificate`] says.
//! - Every execution of the program up to its first failing check is a model, unless it reaches something that is
//!   recorded as not covered. Where the encoding allows more than the program does, a free symbol says so, so that
//!   passing a check may be assumed.
//! - The result depends on the module and the certificate only.
#![forbid(unsafe_code)]

mod call;
mod exec;
mod float;
mod inst;
mod loops;
mod memory;
mod rows;
mod state;

use exec::{Cut, Exec};
use std::collections::BTreeSet;
use verify_checks::{CheckId, Checks};
use verify_facts::CallGraph;
use verify_facts::invariant::LoopInvariant;
use verify_ir::{Block, FuncId, Function, Module, Operand, Ty};
use verify_solver::sat::cadical::Cadical;
use verify_solver::{Outcome, Solver, Term};

/// Where executions start.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Root {
    /// The program, from its start.
    Program(FuncId),
    /// A call of the function with any arguments in any state.
    Call(FuncId),
}

/// How loops are argued about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    /// No loop goes past this many iterations.
    Bounded(u32),
    /// k-induction with this many copies.
    Induction(u32),
}

/// What the environment does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Rules {
    /// Allocation never fails.
    pub allocation_succeeds: bool,
    /// A function without body returns anything and changes nothing.
    pub externals_pure: bool,
    /// `array-index` is not checked.
    pub whole_objects: bool,
    /// An uninitialised variable has an arbitrary value.
    pub uninit_is_arbitrary: bool,
    /// Lost memory is looked for when the program ends.
    pub leaks: bool,
}

/// A claim: no execution from the root fails one of the checks. An execution ends at its first failing check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// Start.
    pub root: Root,
    /// Loops.
    pub mode: Mode,
    /// Loops that constants decide are followed so many iterations; longer ones are loops like others.
    pub followed: u32,
    /// Depth of calls of user functions that are followed.
    pub depth: u32,
    /// Depth of recursion of one function that is followed.
    pub recursion: u32,
    /// Under a call: functions on the way from the root to the checks.
    pub chain: BTreeSet<FuncId>,
    /// Environment.
    pub rules: Rules,
    /// What holds at heads of loops, for k-induction: shown like the checks (initiation and consecution), and used to
    /// show them.
    pub invariants: Vec<LoopInvariant>,
    /// The checks.
    pub proved: BTreeSet<CheckId>,
}

/// Counters that bound the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Conflicts of all queries.
    pub conflicts: u64,
    /// Instructions walked.
    pub instructions: u64,
    /// Terms made.
    pub terms: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { conflicts: 50_000, instructions: 200_000, terms: 2_000_000 }
    }
}

/// The claim holds.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// Instructions walked.
    pub instructions: u64,
    /// Conflicts.
    pub conflicts: u64,
}

/// The claim is not shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// There is an execution of the program that fails this check: the claim is wrong.
    Fails(CheckId),
    /// These rows of invariants (loop, row) are not shown to hold on entry and after each iteration.
    Invariant(Vec<(usize, usize)>),
    /// Something in the way of showing it.
    NotCovered(String),
    /// Too much work.
    Budget,
}

/// Stack of the thread that walks: calls of the program are calls of the walk.
const STACK: usize = 512 << 20;

/// Shows the claim again.
///
/// # Errors
/// [`Refused`] when it is not shown.
pub fn check(
    module: &Module,
    checks: &Checks,
    calls: &CallGraph,
    address_taken: &[FuncId],
    certificate: &Certificate,
    limits: Limits,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Accepted, Refused> {
    let Root::Program(main) = certificate.root else {
        return Err(Refused::NotCovered("a proof about calls of a function in any state".into()));
    };
    if module.func(main).body.is_none() {
        return Err(Refused::NotCovered("a root without a body".into()));
    }
    // Of the arguments nothing is known here, so what is done with them is never shown.
    if uses_arguments(module.func(main)) {
        return Err(Refused::NotCovered("what `main` is called with".into()));
    }
    std::thread::scope(|scope| {
        let work = || work(module, checks, calls, address_taken, certificate, limits, stop);
        match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
            Ok(t) => {
                t.join().unwrap_or_else(|_| Err(Refused::NotCovered("internal inconsistency in the check".into())))
            }
            Err(_) => Err(Refused::Budget),
        }
    })
}

/// The function does something with a pointer that it is called with.
fn uses_arguments(main: &Function) -> bool {
    let Some(body) = &main.body else { return false };
    let pointers: Vec<_> = body.block(Block(0)).params.iter().filter(|p| body.ty(**p) == Ty::Ptr).copied().collect();
    let mut used = false;
    for b in &body.blocks {
        let mut look = |o: &Operand| used |= o.as_value().is_some_and(|v| pointers.contains(&v));
        b.insts.iter().for_each(|i| i.kind.for_each_operand(&mut look));
        b.term.for_each_operand(&mut look);
    }
    used
}

/// Conflicts after which the clock is looked at.
const SLICE: u64 = 1_000;

struct Query<'a> {
    exec: Exec<'a>,
    solver: Solver<Cadical>,
    limit: u64,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Query<'_> {
    fn ask(&mut self, any: Vec<Term>) -> Outcome {
        let q = self.exec.pool.or_all(any);
        if self.exec.is(q, false) {
            return Outcome::Unsat(Vec::new());
        }
        loop {
            let before = self.solver.statistics().conflicts;
            let slice = self.limit.saturating_sub(before).clamp(1, SLICE);
            match self.solver.check(&mut self.exec.pool, &[q], Some(slice)) {
                Outcome::Unknown => {}
                decided => return decided,
            }
            let now = self.solver.statistics().conflicts;
            // Given up before that, for another reason.
            let other = now - before < slice;
            if other || now >= self.limit || (self.stop)() {
                return Outcome::Unknown;
            }
        }
    }

    /// Nothing of this happens.
    fn never(&mut self, any: Vec<Term>, why: impl FnOnce(&mut Self) -> String) -> Result<(), Refused> {
        match self.ask(any) {
            Outcome::Unsat(_) => Ok(()),
            Outcome::Unknown => Err(Refused::Budget),
            Outcome::Sat => Err(Refused::NotCovered(why(self))),
        }
    }

    fn holds(&mut self, t: Term) -> bool {
        self.solver.value(&self.exec.pool, t).is_one()
    }
}

fn work(
    module: &Module,
    checks: &Checks,
    calls: &CallGraph,
    address_taken: &[FuncId],
    certificate: &Certificate,
    limits: Limits,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Accepted, Refused> {
    let (Root::Program(main) | Root::Call(main)) = certificate.root;
    let mut exec = Exec::new(module, checks, certificate, limits);
    exec.program(main).map_err(|_| Refused::Budget)?;
    let axioms = exec.axioms.clone();
    let mut q = Query { exec, solver: Solver::default(), limit: limits.conflicts, stop };
    for a in axioms {
        q.solver.assert(&q.exec.pool, a);
    }
    // Whatever happens first in an execution, a row that does not hold or a check that fails, is asked about under no
    // more than what came before it.
    let broken = std::mem::take(&mut q.exec.broken);
    match q.ask(broken.iter().map(|b| b.1).collect()) {
        Outcome::Unsat(_) => {}
        Outcome::Unknown => return Err(Refused::Budget),
        Outcome::Sat => {
            let hit: BTreeSet<_> = broken.iter().filter(|(_, t)| q.holds(*t)).map(|b| b.0).collect();
            return Err(Refused::Invariant(hit.into_iter().collect()));
        }
    }
    let unwound = q.exec.unwound.clone();
    q.never(unwound, |_| "a loop goes on".into())?;
    let blockers: Vec<Term> = q.exec.blockers.iter().map(|b| b.0).collect();
    // What a call that is not followed hides is decided below; what comes after it is not.
    q.never(blockers, |q| {
        let all = std::mem::take(&mut q.exec.blockers);
        let hit = all.into_iter().find(|(t, _)| q.holds(*t));
        hit.map_or_else(|| "something that is not encoded".into(), |(_, why)| why)
    })?;
    let cuts: Vec<Cut> = std::mem::take(&mut q.exec.cuts);
    for c in &cuts {
        if hides(checks, calls, address_taken, certificate, c) {
            q.never(vec![c.reached], |_| c.what.clone())?;
        }
    }
    let claims = std::mem::take(&mut q.exec.claims);
    match q.ask(claims.iter().map(|c| c.1).collect()) {
        Outcome::Unsat(_) => {}
        Outcome::Unknown => return Err(Refused::Budget),
        Outcome::Sat => {
            let hit = claims.iter().find(|(_, t)| q.holds(*t)).map(|c| c.0);
            let Some(id) = hit else { return Err(Refused::NotCovered("a model that fails nothing".into())) };
            let all = std::mem::take(&mut q.exec.approximations);
            let more = all.iter().find(|(t, _)| q.holds(*t)).map(|a| a.1);
            return Err(match more {
                Some(why) => {
                    let c = checks.get(id);
                    let line = module.span(c.span).line;
                    Refused::NotCovered(format!("{} in line {line} after {why}", c.kind))
                }
                None => Refused::Fails(id),
            });
        }
    }
    Ok(Accepted { instructions: q.exec.steps, conflicts: q.solver.statistics().conflicts })
}

/// One of the checks may be in code that the call runs.
fn hides(checks: &Checks, calls: &CallGraph, taken: &[FuncId], certificate: &Certificate, c: &Cut) -> bool {
    let mut seen = BTreeSet::new();
    let mut todo: Vec<FuncId> = c.callees.clone().unwrap_or_else(|| taken.to_vec());
    while let Some(f) = todo.pop() {
        if seen.insert(f) {
            todo.extend(calls.callees(f));
        }
    }
    certificate
        .proved
        .iter()
        .map(|id| checks.get(*id))
        .any(|k| seen.contains(&k.func) || c.place.is_some_and(|p| p.func == k.func && p.loc == k.loc))
}

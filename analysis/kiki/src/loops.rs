//! Invariants for their own sake: of every loop, and of what functions return, whether or not a check needs them.
//! Loops are not followed however constant they are, so each has its say; passed checks may be leaned on, as ever.

use crate::infer::{self, Ask};
use crate::prove::Limits;
use std::collections::BTreeSet;
use verify_checks::Checks;
use verify_encode::{Domain, Encoder, Formula, Mode, Plan, Root, Rules, Suggested, TooBig};
use verify_facts::CallGraph;
use verify_facts::invariant::{LoopInvariant, in_all_calls};
use verify_facts::values::Settled;
use verify_ir::{FuncId, Module};
use verify_solver::sat::cadical::Cadical;
use verify_solver::{Bv, Outcome, Pool, Solver, Term};

/// Conflicts of one query.
const CONFLICTS: u64 = 5_000;

/// What is looked at, and how hard.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// Program.
    pub module: &'a Module,
    /// Its checks.
    pub checks: &'a Checks,
    /// Who calls whom.
    pub calls: &'a CallGraph,
    /// Functions whose address is taken.
    pub address_taken: &'a [FuncId],
    /// Environment.
    pub rules: Rules,
    /// What is known of values without a solver; what is found leans on it.
    pub facts: Option<&'a Settled>,
    /// Rows.
    pub domain: Domain,
    /// Consecutive iterations that are looked at together.
    pub unwind: u32,
}

/// What was found under one root.
#[derive(Clone, Default, Debug)]
pub struct Found {
    /// Of loops, by how their functions are called; and under a call, of the root's return.
    pub invariants: Vec<LoopInvariant>,
    /// Functions that were looked at with the root.
    pub spliced: BTreeSet<FuncId>,
    /// Why there is nothing.
    pub stuck: Option<&'static str>,
}

struct Asking<'a> {
    encoder: Encoder<'a>,
    solver: Solver<Cadical>,
    stop: &'a dyn Fn() -> bool,
}

impl Ask for Asking<'_> {
    fn any(&mut self, conditions: &[Term], assumptions: &[Term]) -> Outcome {
        let pool = &mut self.encoder.terms.pool;
        let q = pool.or_all(conditions.iter().copied());
        if pool.as_const(q).is_some_and(|v| v.is_zero()) {
            return Outcome::Unsat(Vec::new());
        }
        if (self.stop)() {
            return Outcome::Unknown;
        }
        let all: Vec<Term> = assumptions.iter().copied().chain([q]).collect();
        self.solver.check(pool, &all, Some(CONFLICTS))
    }
    fn value(&mut self, t: Term) -> Bv {
        self.solver.value(&self.encoder.terms.pool, t)
    }
    fn pool(&mut self) -> &mut Pool {
        &mut self.encoder.terms.pool
    }
}

impl<'a> Look<'a> {
    /// Finds what holds at loops under a root.
    pub fn under(&self, root: Root, stop: &'a dyn Fn() -> bool) -> Found {
        let limits = Limits::default();
        let plan = Plan {
            root,
            mode: Mode::Induction,
            unwind: self.unwind,
            innermost: false,
            domain: self.domain,
            suggested: Suggested::Nothing,
            library: false,
            depth: limits.depth,
            recursion: limits.recursion,
            deterministic: 0,
            max_instructions: limits.instructions,
            max_terms: limits.terms,
        };
        // Of a call in any state, nothing is known of who calls.
        let facts = self.facts.filter(|_| matches!(root, Root::Program(_)));
        let mut encoder = Encoder::new(self.module, self.checks, self.rules).with(facts);
        encoder.summaries = true;
        let formula = match encoder.encode(&plan, stop) {
            Ok(f) => f,
            Err(e) => {
                let stuck = match e {
                    TooBig::Instructions => "too many instructions",
                    TooBig::Terms => "too many terms",
                    TooBig::Objects => "too many objects",
                    TooBig::Stopped => "time",
                };
                return Found { stuck: Some(stuck), ..Found::default() };
            }
        };
        let mut asking = Asking { encoder, solver: Solver::default(), stop };
        for a in asking.encoder.terms.axioms.clone() {
            asking.solver.assert(&asking.encoder.terms.pool, a);
        }
        let found = infer::infer(&mut asking, &formula, infer::Pass::All, limits.inference);
        let found = found.map(|i| infer::tighten(&mut asking, &formula, i, limits.inference));
        // What comes after something that is not encoded has not been looked at.
        let reached: Vec<Term> = formula.blockers.iter().map(|b| b.reached).collect();
        let assumed = found.as_ref().map(|i| i.assumptions.clone()).unwrap_or_default();
        if !reached.is_empty() && !matches!(asking.any(&reached, &assumed), Outcome::Unsat(_)) {
            let stuck = Some("something in it is not encoded");
            return Found { stuck, spliced: formula.spliced, ..Found::default() };
        }
        let mut spliced = formula.spliced.clone();
        match found {
            Some(i) => {
                let mut invariants = infer::named(&formula, &i.bounds);
                // Of a call in any state, the function itself is what is known of every call of it. What calls that were
                // not followed run has not been looked at.
                let hidden = self.hidden(&formula);
                invariants.retain(|i| match root {
                    Root::Call(f) => i.func == f && i.calls.as_ref().is_none_or(Vec::is_empty),
                    Root::Program(_) => !hidden.contains(&i.func),
                    // Of the way to the part nothing is known.
                    Root::Part(..) => false,
                });
                spliced.retain(|f| !hidden.contains(f));
                Found { invariants, spliced, stuck: None }
            }
            None => Found { stuck: Some("too many queries"), spliced: formula.spliced, ..Found::default() },
        }
    }

    /// Functions that calls which were not followed may run.
    pub(crate) fn hidden(&self, formula: &Formula) -> BTreeSet<FuncId> {
        let mut seen = BTreeSet::new();
        let mut todo: Vec<FuncId> = Vec::new();
        for c in &formula.cuts {
            todo.extend(&c.callees);
            if c.any {
                todo.extend(self.address_taken);
            }
        }
        while let Some(f) = todo.pop() {
            if seen.insert(f) {
                todo.extend(self.calls.callees(f));
            }
        }
        seen
    }

    /// Invariants of the program from `main`, if it has one, and of the functions that it does not run; of all others what
    /// they return. Loops by their function and place, whatever the calls.
    pub fn all(
        &self,
        main: Option<FuncId>,
        functions: &[FuncId],
        stop: &'a dyn Fn() -> bool,
    ) -> (Vec<LoopInvariant>, Vec<(FuncId, &'static str)>) {
        let (mut out, mut stuck) = (Vec::new(), Vec::new());
        let mut seen = BTreeSet::new();
        if let Some(f) = main {
            let found = self.under(Root::Program(f), stop);
            seen = found.spliced;
            stuck.extend(found.stuck.map(|s| (f, s)));
            out.extend(found.invariants);
        }
        for f in functions.iter().copied().filter(|f| Some(*f) != main) {
            let found = self.under(Root::Call(f), stop);
            if !seen.contains(&f) {
                stuck.extend(found.stuck.map(|s| (f, s)));
            }
            let new = |i: &LoopInvariant| i.header.0 == 0 || !seen.contains(&i.func);
            out.extend(found.invariants.into_iter().filter(new));
        }
        out.retain(|i| functions.contains(&i.func));
        (in_all_calls(&out), stuck)
    }
}

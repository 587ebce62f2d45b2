//! The incremental solver: assertions, assumptions, cores, models. One SAT instance lives as long as the solver; terms
//! are blasted and clausified once, when they first occur.

use crate::aig::{Gate, Lit};
use crate::arrays;
use crate::bitblast::Blaster;
use crate::log;
use crate::product;
use crate::refine::{Refinement, Verdict};
use crate::sat::{Answer, Sat};
use crate::term::{Node, Op, Pool, Term};
use crate::value::Bv;
use std::collections::BTreeMap;

/// The result of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// There is a model; ask [`Solver::value`].
    Sat,
    /// There is none; these assumptions suffice for that.
    Unsat(Vec<Term>),
    /// The conflict budget is used up.
    Unknown,
}

/// Array axiom instances that a query may use per conflict of its budget.
const INSTANCES: u64 = 2;
/// Writes that the search for violated axioms may look at, per conflict of the budget and at least.
const STEPS: u64 = 50;
const LEAST_STEPS: u64 = 20_000;
/// Rounds of axiom instances that every query may use; each is a call of the SAT solver.
const LEAST_ROUNDS: u64 = 10;

/// Cells of circuits of floating-point operators that a query may build, at least and per conflict of its budget.
const LEAST_CELLS: u64 = 60_000;
const CELLS: u64 = 20;
/// Terms that may be evaluated exactly to that end, at least and per conflict.
const LEAST_EVALUATED: u64 = 1_000_000;
const EVALUATED: u64 = 1000;
/// Terms that may be read as polynomials, at least and per conflict.
const LEAST_READ: u64 = 200_000;
const READ: u64 = 100;
/// Rounds in which lemmas about products are looked for, then they get their circuits.
const MOST_ROUNDS_OF_PRODUCTS: u64 = 80;
/// Writes that are looked at to find the elements of arrays in a model.
const MOST_ELEMENTS: u64 = 10_000_000;

/// Work done so far.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Queries asked.
    pub queries: u64,
    /// SAT calls, more than queries when array axioms were missing.
    pub sat_calls: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Cache lines that the SAT solver's search touched.
    pub ticks: u64,
    /// Clauses given to the SAT solver.
    pub clauses: u64,
    /// Array axiom instances.
    pub lemmas: u64,
    /// Facts and circuits of products and floating-point operators.
    pub refined: u64,
}

/// The terms of a query whose meaning is not all in its clauses, in order.
#[derive(Default)]
struct Parts {
    /// Array reads.
    reads: Vec<Term>,
    /// Applications of floating-point operators.
    floats: Vec<Term>,
    /// Products that started as free bits.
    products: Vec<Term>,
    /// Equalities.
    equations: Vec<Term>,
    /// Terms of theirs that may still be read as polynomials.
    read: u64,
}

/// An incremental solver over terms of one [`Pool`] (always the same one: terms are indices).
pub struct Solver<S: Sat> {
    sat: S,
    blaster: Blaster,
    /// SAT variable of a graph node, 0 when it has none yet.
    vars: Vec<i32>,
    next_var: i32,
    /// Values of graph nodes in the current model, as far as they were asked for.
    model: Vec<Option<bool>>,
    refinement: Refinement,
    /// What was asserted for good, axiom instances left out.
    asserted: Vec<Term>,
    /// Array reads of the last query that has a model.
    reads: Vec<Term>,
    /// Gates beyond which no query is asked.
    most_gates: usize,
    stats: Statistics,
}

impl<S: Sat + Default> Default for Solver<S> {
    fn default() -> Self {
        Solver::with(S::default())
    }
}

impl<S: Sat> Solver<S> {
    /// On top of this SAT solver, which knows nothing yet.
    pub fn with(sat: S) -> Self {
        Solver {
            sat,
            blaster: Blaster::default(),
            vars: vec![],
            next_var: 1,
            model: vec![],
            refinement: Refinement::default(),
            asserted: vec![],
            reads: vec![],
            most_gates: usize::MAX,
            stats: Statistics::default(),
        }
    }

    /// The same; queries are [`Outcome::Unknown`] once all of them together have more gates than this. A gate takes about
    /// 300 bytes in the SAT solver.
    pub fn with_gates(self, most_gates: usize) -> Self {
        Solver { most_gates, ..self }
    }
}

impl<S: Sat> Solver<S> {
    /// Queries that come to depend on the circuit of a product, which would be a burden on all later ones, are
    /// [`Outcome::Unknown`] from now on; or no longer.
    pub fn spare(&mut self, yes: bool) {
        self.refinement.sparing = yes;
    }

    /// Counters.
    pub fn statistics(&self) -> Statistics {
        Statistics { conflicts: self.sat.conflicts(), ticks: self.sat.ticks(), ..self.stats }
    }

    fn var_of(&mut self, node: u32) -> Option<i32> {
        self.vars.get(node as usize).copied().filter(|v| *v != 0)
    }

    fn clause(&mut self, lits: &[i32]) {
        self.stats.clauses += 1;
        self.sat.add_clause(lits);
    }

    /// The SAT literal of a graph literal, with the clauses (Tseitin, both polarities) of its cone.
    fn literal(&mut self, l: Lit) -> i32 {
        if self.vars.len() < self.blaster.aig.len() {
            self.vars.resize(self.blaster.aig.len(), 0);
        }
        let mut stack = vec![l.node()];
        while let Some(&n) = stack.last() {
            if self.vars[n as usize] != 0 {
                stack.pop();
                continue;
            }
            let gate = self.blaster.aig.gate(n);
            if let Gate::And(a, b) = gate {
                let open = stack.len();
                stack.extend([a.node(), b.node()].into_iter().filter(|m| self.vars[*m as usize] == 0));
                if stack.len() > open {
                    continue;
                }
            }
            let v = self.next_var;
            self.next_var += 1;
            self.vars[n as usize] = v;
            match gate {
                Gate::False => self.clause(&[-v]),
                Gate::Input => {}
                Gate::And(a, b) => {
                    let (a, b) = (self.signed(a), self.signed(b));
                    self.clause(&[-v, a]);
                    self.clause(&[-v, b]);
                    self.clause(&[v, -a, -b]);
                }
            }
            stack.pop();
        }
        self.signed(l)
    }

    fn signed(&self, l: Lit) -> i32 {
        let v = self.vars[l.node() as usize];
        if l.negated() { -v } else { v }
    }

    fn truth(&mut self, pool: &Pool, t: Term) -> i32 {
        debug_assert_eq!(pool.width(t), 1);
        let l = self.blaster.blast(pool, t)[0];
        self.literal(l)
    }

    /// Asserts a truth value for good.
    pub fn assert(&mut self, pool: &Pool, t: Term) {
        self.asserted.push(t);
        self.assert_lemma(pool, t);
    }

    fn assert_lemma(&mut self, pool: &Pool, t: Term) {
        let l = self.truth(pool, t);
        self.clause(&[l]);
    }

    /// What the query is made of: what only other queries mention can take any value.
    fn parts(&mut self, pool: &Pool, assumptions: &[Term]) -> Parts {
        let mut parts = Parts::default();
        if self.blaster.selects.is_empty() && !self.blaster.refined {
            return parts;
        }
        let mut seen = vec![false; pool.len()];
        let mut todo: Vec<Term> = self.asserted.iter().chain(assumptions).copied().collect();
        while let Some(t) = todo.pop() {
            if std::mem::replace(&mut seen[t.0 as usize], true) {
                continue;
            }
            match pool.node(t) {
                Node::App(Op::Select, _) => parts.reads.push(t),
                Node::App(Op::Float(..), _) => parts.floats.push(t),
                Node::App(Op::Mul, _) if product::is_abstract(pool, t) => parts.products.push(t),
                Node::App(Op::Eq, _) => parts.equations.push(t),
                _ => {}
            }
            todo.extend(pool.args(t));
        }
        parts.reads.sort_unstable();
        parts.floats.sort_unstable();
        parts.products.sort_unstable();
        parts.equations.sort_unstable();
        parts
    }

    /// Is there a model of the assertions in which the assumptions (truth values) hold? `conflicts` bounds the work.
    /// The pool grows when array axioms are instantiated.
    pub fn check(&mut self, pool: &mut Pool, assumptions: &[Term], conflicts: Option<u64>) -> Outcome {
        let outcome = self.answer(pool, assumptions, conflicts);
        log::answered(pool, &self.asserted, assumptions, &outcome);
        outcome
    }

    fn answer(&mut self, pool: &mut Pool, assumptions: &[Term], conflicts: Option<u64>) -> Outcome {
        self.stats.queries += 1;
        for t in assumptions {
            // Gates are small before they become clauses.
            self.blaster.blast(pool, *t);
            if self.blaster.aig.len() > self.most_gates {
                return Outcome::Unknown;
            }
        }
        let lits: Vec<i32> = assumptions.iter().map(|t| self.truth(pool, *t)).collect();
        let start = self.sat.conflicts();
        let mut parts = self.parts(pool, assumptions);
        parts.read = conflicts.map_or(u64::MAX, |c| LEAST_READ + c.saturating_mul(READ));
        let (mut instances, mut rounds) = (0, 0);
        let mut fuel = conflicts.map_or(u64::MAX, |c| LEAST_STEPS + c.saturating_mul(STEPS));
        let mut cells = conflicts.map_or(u64::MAX, |c| LEAST_CELLS + c.saturating_mul(CELLS));
        let evaluated = self.refinement.evaluated();
        loop {
            let done = self.refinement.evaluated() - evaluated;
            let much = conflicts.is_some_and(|c| done > LEAST_EVALUATED + c.saturating_mul(EVALUATED));
            if much || rounds > MOST_ROUNDS_OF_PRODUCTS {
                if self.refinement.sparing && !parts.products.is_empty() {
                    return Outcome::Unknown;
                }
                self.concrete(pool, &parts.products);
            }
            parts.products.retain(|t| !self.refinement.is_concrete(*t));
            if much && !parts.floats.is_empty() {
                return Outcome::Unknown;
            }
            let spent = self.sat.conflicts() - start;
            let limit = match conflicts {
                Some(c) if spent >= c && c > 0 && spent > 0 => return Outcome::Unknown,
                Some(c) => Some(u32::try_from(c - spent.min(c)).unwrap_or(u32::MAX)),
                None => None,
            };
            self.stats.sat_calls += 1;
            self.model.clear();
            self.refinement.forget();
            match self.sat.solve(&lits, limit) {
                Answer::Unknown => return Outcome::Unknown,
                Answer::Unsat => {
                    let core = assumptions.iter().zip(&lits).filter(|(_, l)| self.sat.failed(**l)).map(|(t, _)| *t);
                    return Outcome::Unsat(core.collect());
                }
                Answer::Sat => {}
            }
            if parts.reads.is_empty() && parts.floats.is_empty() && parts.products.is_empty() {
                self.reads.clear();
                return Outcome::Sat;
            }
            let Some(lemmas) = arrays::violated(pool, &parts.reads, &mut fuel, |pool, t| self.raw(pool, t)) else {
                return Outcome::Unknown;
            };
            instances += lemmas.len() as u64;
            self.stats.lemmas += lemmas.len() as u64;
            // Terms blasted for the lemmas' sake may have brought reads that the model says nothing about.
            let lemmas = if lemmas.is_empty() {
                match self.refined(pool, assumptions, &mut parts, &mut fuel, &mut cells) {
                    Verdict::Model => {
                        self.reads = parts.reads;
                        return Outcome::Sat;
                    }
                    Verdict::GiveUp => return Outcome::Unknown,
                    Verdict::Lemmas(l) => {
                        self.stats.refined += l.len() as u64;
                        l
                    }
                }
            } else {
                lemmas
            };
            for t in self.refinement.take_circuits() {
                if self.blaster.get(t).is_none() {
                    self.blaster.circuits.insert(t);
                } else {
                    let l = product::is_its_circuit(pool, t);
                    self.assert_lemma(pool, l);
                }
            }
            for l in lemmas {
                self.assert_lemma(pool, l);
            }
            // Instances are work as conflicts are.
            rounds += 1;
            let least = LEAST_ROUNDS + 3 * parts.floats.len() as u64 + 2 * MOST_ROUNDS_OF_PRODUCTS;
            if conflicts.is_some_and(|c| instances > c.saturating_mul(INSTANCES) || rounds > least + c / 20) {
                return Outcome::Unknown;
            }
        }
    }

    /// The meaning of these products.
    fn concrete(&mut self, pool: &mut Pool, products: &[Term]) {
        for &t in products {
            if let Some(l) = self.refinement.concrete(pool, t) {
                self.assert_lemma(pool, l);
            }
        }
    }

    /// Whether a model is one of products and floating-point arithmetic too.
    fn refined(
        &mut self,
        pool: &mut Pool,
        assumptions: &[Term],
        parts: &mut Parts,
        fuel: &mut u64,
        cells: &mut u64,
    ) -> Verdict {
        if parts.floats.is_empty() && parts.products.is_empty() {
            return Verdict::Model;
        }
        let reads = &parts.reads;
        // Taken out, since the values it is given come from the rest.
        let mut refinement = std::mem::take(&mut self.refinement);
        let roots: Vec<Term> = self.asserted.iter().chain(assumptions).copied().collect();
        let mut raw = |pool: &Pool, t: Term| self.raw(pool, t);
        let mut wrong: Vec<Term> = Vec::new();
        for t in roots {
            if refinement.depends(pool, t) && refinement.exact(pool, t, &mut raw).is_zero() {
                wrong.push(t);
            }
        }
        let verdict = if !wrong.is_empty() {
            let lemmas = match parts.products.is_empty() {
                true => Vec::new(),
                false => refinement.equations(pool, &parts.equations, &mut parts.read, &mut raw),
            };
            match lemmas.is_empty() {
                true => refinement.refine(pool, wrong, cells, &mut raw),
                false => Verdict::Lemmas(lemmas),
            }
        } else if reads.is_empty() {
            Verdict::Model
        } else {
            match arrays::violated(pool, reads, fuel, |pool, t| refinement.exact(pool, t, &mut raw)) {
                None => Verdict::GiveUp,
                Some(l) if l.is_empty() => Verdict::Model,
                // Reads are at other places than the solver thought.
                Some(_) => {
                    let all = parts.floats.iter().chain(&parts.products).copied().collect();
                    refinement.refine(pool, all, cells, &mut raw)
                }
            }
        };
        self.refinement = refinement;
        verdict
    }

    /// After [`Outcome::Sat`]: the model's value of a bit-vector term. Bits that the query did not mention are 0; the
    /// result is consistent, since the value of a gate is computed from its operands.
    pub fn value(&mut self, pool: &Pool, t: Term) -> Bv {
        if !self.refinement.depends(pool, t) {
            return self.raw(pool, t);
        }
        let mut refinement = std::mem::take(&mut self.refinement);
        let v = refinement.exact(pool, t, &mut |pool: &Pool, t: Term| self.raw(pool, t));
        self.refinement = refinement;
        v
    }

    /// After [`Outcome::Sat`]: elements of array symbols in the model, by symbol and index; the others are arbitrary.
    pub fn elements(&mut self, pool: &Pool) -> BTreeMap<(Term, Bv), Bv> {
        let reads = std::mem::take(&mut self.reads);
        let out = arrays::elements(pool, &reads, MOST_ELEMENTS, |pool, t| self.value(pool, t));
        self.reads = reads;
        out
    }

    /// What the SAT solver says, for which floating-point applications are free bits.
    fn raw(&mut self, pool: &Pool, t: Term) -> Bv {
        let bits = self.blaster.blast(pool, t);
        let values: Vec<bool> = bits.iter().map(|l| self.lit_value(*l)).collect();
        Bv::from_bits(&values)
    }

    fn lit_value(&mut self, l: Lit) -> bool {
        if self.model.len() < self.blaster.aig.len() {
            self.model.resize(self.blaster.aig.len(), None);
        }
        let mut stack = vec![l.node()];
        while let Some(&n) = stack.last() {
            if self.model[n as usize].is_some() {
                stack.pop();
                continue;
            }
            let v = if let Some(v) = self.var_of(n) {
                self.sat.value(v)
            } else {
                match self.blaster.aig.gate(n) {
                    Gate::False | Gate::Input => false,
                    Gate::And(a, b) => {
                        let (x, y) = (self.model[a.node() as usize], self.model[b.node() as usize]);
                        let (Some(x), Some(y)) = (x, y) else {
                            stack.extend(x.is_none().then_some(a.node()));
                            stack.extend(y.is_none().then_some(b.node()));
                            continue;
                        };
                        (x != a.negated()) && (y != b.negated())
                    }
                }
            };
            self.model[n as usize] = Some(v);
            stack.pop();
        }
        self.model[l.node() as usize] == Some(!l.negated())
    }
}

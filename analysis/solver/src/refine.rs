//! Floating point, and products of two unknown numbers ([`crate::product`]), by refinement: an application of an operator is a vector of free bits until a model leans on a value
//! that it cannot have. Then what follows from its meaning at little cost is asserted, at last the circuit; so a query
//! that floating point does not decide costs nothing (counterexample-guided abstraction, after Brillout, Kroening and
//! Wahl, "Mixed Abstractions for Floating-Point Arithmetic", FMCAD 2009).
//!
//! A model need not give every application its value: with the free symbols and array reads as the SAT solver has them,
//! all terms are evaluated exactly; when the query holds under these values, they are the model.

use crate::bitblast::is_refined;
use crate::eval;
use crate::float::{bounds, circuit, exact};
use crate::product::{self, ring};
use crate::term::{Node, Op, Pool, Term};
use crate::value::Bv;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Instances of single values for an operator without circuit, then it is given up.
const INSTANCES: u32 = 64;
/// Facts about a product; then single values, one for so many of its bits; then it gets its circuit.
const FACTS: u32 = 10;
const BITS_PER_VALUE: u32 = 8;
/// Equal factors that are looked for, for each product.
const CONGRUENT: u32 = 16;
/// Equations that are looked at for what others say of them, for each model.
const MOST_GOALS: usize = 24;

/// What was said of an application.
#[derive(Clone, Copy, Default)]
struct Said {
    bounds: bool,
    circuit: bool,
    instances: u32,
    values: u32,
    congruent: u32,
}

/// What was asserted of applications so far, and the exact values under the current model.
#[derive(Default)]
pub struct Refinement {
    said: BTreeMap<Term, Said>,
    /// By term: its value depends on an application, other than through an array.
    depends: Vec<bool>,
    // Only looked up.
    exact: FxHashMap<Term, Bv>,
    evaluated: u64,
    /// Products that are to be circuits from the start.
    circuits: Vec<Term>,
    /// No product gets a circuit now.
    pub sparing: bool,
}

/// The products that start as free bits, of those that `t` is made of above `below`.
fn products(pool: &Pool, t: Term, below: &[Term]) -> BTreeSet<Term> {
    let mut found = BTreeSet::new();
    let mut seen: BTreeSet<Term> = below.iter().copied().collect();
    let mut todo = vec![t];
    while let Some(t) = todo.pop() {
        if seen.insert(t) {
            found.extend(product::is_abstract(pool, t).then_some(t));
            todo.extend(pool.args(t));
        }
    }
    found
}

/// What becomes of a model.
pub enum Verdict {
    /// It is one.
    Model,
    /// These must hold; the model violates one of them.
    Lemmas(Vec<Term>),
    /// Not within the budget.
    GiveUp,
}

impl Refinement {
    /// There is a new model.
    pub fn forget(&mut self) {
        self.evaluated += self.exact.len() as u64;
        self.exact.clear();
    }

    /// Terms evaluated under former models.
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// The value of a term depends on that of an application.
    pub fn depends(&mut self, pool: &Pool, t: Term) -> bool {
        for i in self.depends.len()..pool.len() {
            let d = match pool.node(Term(i as u32)) {
                Node::App(..) if is_refined(pool, Term(i as u32)) => true,
                Node::App(Op::Select, _) => false,
                Node::App(_, args) => args.iter().any(|a| self.depends[a.0 as usize]),
                _ => false,
            };
            self.depends.push(d);
        }
        self.depends[t.0 as usize]
    }

    /// The exact value of a term; `raw` gives what the SAT solver says.
    pub fn exact(&mut self, pool: &Pool, root: Term, raw: &mut impl FnMut(&Pool, Term) -> Bv) -> Bv {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.exact.contains_key(&t) {
                stack.pop();
                continue;
            }
            let v = if self.depends(pool, t)
                && let Node::App(op, args) = pool.node(t)
            {
                let open = stack.len();
                stack.extend(args.iter().filter(|a| !self.exact.contains_key(a)));
                if stack.len() > open {
                    continue;
                }
                let values: Vec<&Bv> = args.iter().map(|a| &self.exact[a]).collect();
                eval::apply(*op, &values, pool.width(t)).unwrap_or_else(|| raw(pool, t))
            } else {
                raw(pool, t)
            };
            self.exact.insert(t, v);
            stack.pop();
        }
        self.exact[&root].clone()
    }

    fn differs(&mut self, pool: &Pool, t: Term, raw: &mut impl FnMut(&Pool, Term) -> Bv) -> bool {
        self.depends(pool, t) && self.exact(pool, t, raw) != raw(pool, t)
    }

    /// The applications whose values make these terms something else than the SAT solver says, and whose own operands
    /// are as it says.
    fn origins(&mut self, pool: &Pool, starts: Vec<Term>, raw: &mut impl FnMut(&Pool, Term) -> Bv) -> BTreeSet<Term> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut todo = starts;
        while let Some(t) = todo.pop() {
            if !seen.insert(t) || !self.differs(pool, t, raw) {
                continue;
            }
            let below: Vec<Term> = pool.args(t).to_vec();
            let below: Vec<Term> = below.into_iter().filter(|a| self.differs(pool, *a, raw)).collect();
            if below.is_empty() {
                found.insert(t);
            }
            todo.extend(below);
        }
        found
    }

    /// Looks at a model that is one when applications may have any value. `starts` are terms that are not what the
    /// query wants them to be under the exact values. `cells` is what circuits may still cost.
    pub fn refine(
        &mut self,
        pool: &mut Pool,
        starts: Vec<Term>,
        cells: &mut u64,
        raw: &mut impl FnMut(&Pool, Term) -> Bv,
    ) -> Verdict {
        let mut lemmas = Vec::new();
        for t in self.origins(pool, starts, raw) {
            match self.lemma(pool, t, cells, raw) {
                Some(l) => lemmas.push(l),
                // What the others say may be enough.
                None => continue,
            }
        }
        if lemmas.is_empty() { Verdict::GiveUp } else { Verdict::Lemmas(lemmas) }
    }

    fn lemma(
        &mut self,
        pool: &mut Pool,
        t: Term,
        cells: &mut u64,
        raw: &mut impl FnMut(&Pool, Term) -> Bv,
    ) -> Option<Term> {
        if product::is_abstract(pool, t) {
            return self.of_product(pool, t, raw);
        }
        let &Node::App(Op::Float(op, f), ref args) = pool.node(t) else { return None };
        let args = args.clone();
        let width = pool.width(t);
        let said = self.said.get(&t).copied().unwrap_or_default();
        if said.circuit {
            return None;
        }
        if !said.bounds
            && let Some(l) = bounds::of(pool, op, f, &args, t)
            && raw(pool, l).is_zero()
        {
            self.said.insert(t, Said { bounds: true, ..said });
            return Some(l);
        }
        let int = args.iter().map(|a| pool.width(*a)).max().unwrap_or(0).max(width);
        match circuit::cost(op, f, int) {
            Some(cost) if cost <= *cells => {
                let c = circuit::build(pool, op, f, &args, width)?;
                *cells -= cost;
                self.said.insert(t, Said { circuit: true, ..said });
                // The circuit is one only if its products are.
                for p in products(pool, c, &args) {
                    if !std::mem::replace(&mut self.said.entry(p).or_default().circuit, true) {
                        self.circuits.push(p);
                    }
                }
                Some(pool.eq(t, c))
            }
            Some(_) => None,
            None if said.instances < INSTANCES => {
                self.said.insert(t, Said { instances: said.instances + 1, ..said });
                let v = self.exact(pool, t, raw);
                // The payload counts for NaNs only.
                let number = exact::decode(f, &v) != exact::Number::Nan;
                let mut same = Vec::new();
                for a in &args[..args.len() - usize::from(number)] {
                    let v = raw(pool, *a);
                    let v = pool.constant(v);
                    same.push(pool.eq(*a, v));
                }
                let same = pool.and_all(same);
                let v = pool.constant(v);
                let is = pool.eq(t, v);
                Some(pool.implies(same, is))
            }
            None => None,
        }
    }

    /// Products that are part of what was returned as a lemma, and have to be circuits where it is asserted.
    pub fn take_circuits(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.circuits)
    }

    /// The meaning of this application is asserted.
    pub fn is_concrete(&self, t: Term) -> bool {
        self.said.get(&t).is_some_and(|s| s.circuit)
    }

    fn of_product(&mut self, pool: &mut Pool, t: Term, raw: &mut impl FnMut(&Pool, Term) -> Bv) -> Option<Term> {
        let said = self.said.get(&t).copied().unwrap_or_default();
        if said.circuit {
            return None;
        }
        let (a, b) = (pool.args(t)[0], pool.args(t)[1]);
        let (x, u, v) = (raw(pool, t), raw(pool, a), raw(pool, b));
        if said.congruent < CONGRUENT
            && let Some(same) = self.congruent(pool, t, (&x, &u, &v), raw)
        {
            self.said.insert(t, Said { congruent: said.congruent + 1, ..said });
            return Some(same);
        }
        self.said.insert(t, said);
        if said.instances < FACTS
            && let Some(fact) = product::facts::violated(pool, (t, &x), (a, &u), (b, &v))
        {
            self.said.insert(t, Said { instances: said.instances + 1, ..said });
            return Some(fact);
        }
        if said.values < pool.width(t) / BITS_PER_VALUE {
            // The next model may well have the same factors, as nothing speaks against them.
            self.said.insert(t, Said { values: said.values + 1, ..said });
            let [u, v, product] = [&u, &v, &u.mul(&v)].map(|v| pool.constant(v.clone()));
            let (left, right, is) = (pool.eq(a, u), pool.eq(b, v), pool.eq(t, product));
            let both = pool.and(left, right);
            return Some(pool.implies(both, is));
        }
        if self.sparing { None } else { self.concrete(pool, t) }
    }

    /// That another product is the same where it has the same factors, as in the model, which gives it another value.
    fn congruent(
        &self,
        pool: &mut Pool,
        t: Term,
        (x, u, v): (&Bv, &Bv, &Bv),
        raw: &mut impl FnMut(&Pool, Term) -> Bv,
    ) -> Option<Term> {
        let (a, b) = (pool.args(t)[0], pool.args(t)[1]);
        for &other in self.said.keys() {
            if other == t || !product::is_abstract(pool, other) || pool.width(other) != pool.width(t) {
                continue;
            }
            let (c, d) = (pool.args(other)[0], pool.args(other)[1]);
            let (y, r, s) = (raw(pool, other), raw(pool, c), raw(pool, d));
            let pairs = match (*u == r && *v == s, *u == s && *v == r) {
                (true, _) => [(a, c), (b, d)],
                (_, true) => [(a, d), (b, c)],
                _ => continue,
            };
            if *x != y {
                let equal = pairs.map(|(p, q)| pool.eq(p, q));
                let (factors, products) = (pool.and(equal[0], equal[1]), pool.eq(t, other));
                return Some(pool.implies(factors, products));
            }
        }
        None
    }

    /// That the product `t` is its circuit, unless that was said before.
    pub fn concrete(&mut self, pool: &mut Pool, t: Term) -> Option<Term> {
        let said = self.said.entry(t).or_default();
        if std::mem::replace(&mut said.circuit, true) {
            return None;
        }
        Some(product::is_its_circuit(pool, t))
    }

    /// What the equations that hold in the model say of the others, where the model has it otherwise. `atoms` are the
    /// equalities of the query.
    /// `fuel` counts terms.
    pub fn equations(
        &mut self,
        pool: &mut Pool,
        atoms: &[Term],
        fuel: &mut u64,
        raw: &mut impl FnMut(&Pool, Term) -> Bv,
    ) -> Vec<Term> {
        if *fuel == 0 {
            return Vec::new();
        }
        let (holding, failing): (Vec<Term>, Vec<Term>) = atoms.iter().partition(|a| raw(pool, **a).is_one());
        let goals = failing.iter().chain(&holding).copied().filter(|a| self.depends(pool, *a));
        let goals: Vec<Term> = goals.take(MOST_GOALS).collect();
        let mut lemmas = Vec::new();
        for goal in goals {
            let is = raw(pool, goal).is_one();
            let mut truth = |pool: &Pool, t: Term| raw(pool, t).is_one();
            let Some((holds, literals)) = ring::explain(pool, goal, &holding, &mut truth, fuel) else { continue };
            if holds == is {
                continue;
            }
            let literals: Vec<Term> =
                literals.into_iter().map(|(t, holds)| if holds { t } else { pool.not(t) }).collect();
            let all = pool.and_all(literals);
            let goal = if holds { goal } else { pool.not(goal) };
            lemmas.push(pool.implies(all, goal));
        }
        lemmas
    }
}

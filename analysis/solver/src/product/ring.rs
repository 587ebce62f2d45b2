//! Equations of polynomials modulo `2^w`: whether some of those that hold in a model decide another one, and which.
//!
//! With `p_1 = 0, ..., p_n = 0` and multipliers `m_j` of bounded degree, `q = 0` follows if `q` is in the module that all
//! `m_j * p_i` span over the ring of the integers modulo `2^w`; its elements with a given leading monomial are found by
//! elimination (Müller-Olm and Seidl, "Analysis of modular arithmetic", TOPLAS 2007, section 2: triangular form; rows
//! with an even leading coefficient are multiplied until it vanishes, so that nothing is missed). Equations that give the
//! value of a variable are put in first, which needs no multipliers.
//!
//! Where paths meet, a term is the one that the model chose; where a sum was extended, it is the sum of extensions if the
//! model says that it did not overflow. What was used of the model is part of the answer.

use super::polynomial::{Monomial, Polynomial};
use crate::term::{Node, Op, Pool, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Equations that may be used for one.
const MOST_EQUATIONS: usize = 60;
/// Multiples of equations that are looked at.
const MOST_MULTIPLES: usize = 400;
/// Steps of elimination.
const MOST_STEPS: usize = 20_000;
/// Terms that one polynomial is made of.
const MOST_TERMS: usize = 2_000;

/// Truth values, each with what the model says.
pub type Literals = BTreeSet<(Term, bool)>;

/// Reads terms as polynomials.
struct Reader<'m> {
    pool: &'m mut Pool,
    truth: &'m mut dyn FnMut(&Pool, Term) -> bool,
    width: u32,
    /// Choices are those of the model; else they are variables.
    chosen: bool,
    used: Literals,
    read: BTreeMap<Term, Polynomial>,
    left: usize,
    /// Terms that may be read in all.
    fuel: &'m mut u64,
}

impl Reader<'_> {
    fn polynomial(&mut self, t: Term) -> Option<Polynomial> {
        if let Some(p) = self.read.get(&t) {
            return Some(p.clone());
        }
        self.left = self.left.checked_sub(1)?;
        *self.fuel = self.fuel.checked_sub(1)?;
        let p = self.fresh(t)?;
        self.read.insert(t, p.clone());
        Some(p)
    }

    fn sum(&mut self, a: Term, b: Term) -> Option<Polynomial> {
        let (mut p, q) = (self.polynomial(a)?, self.polynomial(b)?);
        p.plus(1, &Monomial::one(), &q);
        Some(p)
    }

    fn fresh(&mut self, t: Term) -> Option<Polynomial> {
        let w = self.width;
        let (op, args) = match self.pool.node(t) {
            Node::Const(v) => return v.to_u128().map(|v| Polynomial::constant(w, v)),
            Node::Var(_) => return Some(Polynomial::variable(w, t)),
            Node::App(op, args) => (*op, args.clone()),
        };
        match op {
            Op::Add => self.sum(args[0], args[1]),
            Op::Neg => Some(self.polynomial(args[0])?.scaled(u128::MAX)),
            // -x - 1
            Op::Not => {
                let mut p = self.polynomial(args[0])?.scaled(u128::MAX);
                p.plus(u128::MAX, &Monomial::one(), &Polynomial::constant(w, 1));
                Some(p)
            }
            Op::Mul => {
                let (p, q) = (self.polynomial(args[0])?, self.polynomial(args[1])?);
                p.times(&q).or_else(|| Some(Polynomial::variable(w, t)))
            }
            Op::Concat => match self.pool.as_const(args[1]).and_then(|c| c.to_u128()) {
                Some(low) => {
                    let by = self.pool.width(args[1]);
                    let high = self.lifted(args[0]);
                    let mut p = self.polynomial(high)?.scaled(1 << by);
                    p.plus(1, &Monomial::one(), &Polynomial::constant(w, low));
                    Some(p)
                }
                None => Some(Polynomial::variable(w, t)),
            },
            Op::Ite if self.chosen => {
                let which = self.holds(args[0]);
                self.polynomial(args[if which { 1 } else { 2 }])
            }
            Op::SExt => self.extended(t, args[0]),
            Op::ZExt if self.chosen && self.pool.as_app(args[0], Op::Ite).is_some() => {
                let inner = self.pool.args(args[0]).to_vec();
                let which = self.holds(inner[0]);
                let next = self.pool.zext(inner[if which { 1 } else { 2 }], w);
                self.polynomial(next)
            }
            _ => Some(Polynomial::variable(w, t)),
        }
    }

    fn holds(&mut self, condition: Term) -> bool {
        let v = (self.truth)(self.pool, condition);
        self.used.insert((condition, v));
        v
    }

    /// Any term of the full width with these lower bits: it is multiplied by what the missing bits are lost by.
    fn lifted(&mut self, low: Term) -> Term {
        match *self.pool.node(low) {
            Node::App(Op::Extract { lo: 0, .. }, ref args) if self.pool.width(args[0]) == self.width => args[0],
            Node::App(Op::SExt, ref args) => {
                let inner = args[0];
                self.pool.sext(inner, self.width)
            }
            Node::App(Op::Add, ref args) => {
                let (a, b) = (args[0], args[1]);
                let (a, b) = (self.lifted(a), self.lifted(b));
                self.pool.add(a, b)
            }
            Node::App(Op::Mul, ref args) => {
                let (a, b) = (args[0], args[1]);
                let (a, b) = (self.lifted(a), self.lifted(b));
                self.pool.mul(a, b)
            }
            Node::App(Op::Neg, ref args) => {
                let a = args[0];
                let a = self.lifted(a);
                self.pool.neg(a)
            }
            Node::App(Op::Ite, ref args) => {
                let (c, a, b) = (args[0], args[1], args[2]);
                let (a, b) = (self.lifted(a), self.lifted(b));
                self.pool.ite(c, a, b)
            }
            _ => self.pool.zext(low, self.width),
        }
    }

    /// `t` is the sign extension of `of`.
    fn extended(&mut self, t: Term, of: Term) -> Option<Polynomial> {
        let w = self.width;
        let narrow = self.pool.width(of);
        let variable = Some(Polynomial::variable(w, t));
        let (op, args) = match self.pool.node(of) {
            Node::App(op, args) => (*op, args.clone()),
            _ => return variable,
        };
        // The operation in a width where it cannot overflow; it did not if the two are the same number.
        let wide = match op {
            Op::Add => narrow + 1,
            Op::Mul => 2 * narrow,
            Op::Concat if self.pool.as_const(args[1]).is_some_and(|c| c.is_zero()) => 2 * narrow,
            Op::Ite if self.chosen => {
                let which = self.holds(args[0]);
                let next = self.pool.sext(args[if which { 1 } else { 2 }], w);
                return self.polynomial(next);
            }
            _ => return variable,
        };
        let exact = self.wide(of, wide);
        let again = self.pool.sext(of, wide);
        let fits = self.pool.eq(exact, again);
        if self.pool.as_const(fits).is_some_and(|c| c.is_zero()) || !(self.truth)(self.pool, fits) {
            return variable;
        }
        self.used.insert((fits, true));
        let exact = self.wide(of, w);
        self.polynomial(exact)
    }

    /// A sum or product, of operands extended to `w`.
    fn wide(&mut self, t: Term, w: u32) -> Term {
        let args = self.pool.args(t).to_vec();
        match *self.pool.node(t) {
            Node::App(Op::Add, _) => {
                let subtracted = self.pool.as_app(args[1], Op::Neg).map(|n| n[0]);
                let a = self.pool.sext(args[0], w);
                match subtracted {
                    Some(b) => {
                        let b = self.pool.sext(b, w);
                        self.pool.sub(a, b)
                    }
                    None => {
                        let b = self.pool.sext(args[1], w);
                        self.pool.add(a, b)
                    }
                }
            }
            Node::App(Op::Mul, _) => {
                let (a, b) = (self.pool.sext(args[0], w), self.pool.sext(args[1], w));
                self.pool.mul(a, b)
            }
            // A product by a power of two.
            _ => {
                let narrow = self.pool.width(t);
                let by = self.pool.width(args[1]);
                let a = match *self.pool.node(args[0]) {
                    Node::App(Op::Extract { lo: 0, .. }, ref x) if self.pool.width(x[0]) == narrow => {
                        let x = x[0];
                        self.pool.sext(x, w)
                    }
                    _ => self.pool.sext(args[0], w),
                };
                let k = self.pool.num(w, 1 << by);
                self.pool.mul(a, k)
            }
        }
    }

    /// An equation as a polynomial that is 0.
    fn equation(&mut self, atom: Term) -> Option<Polynomial> {
        let &[a, b] = self.pool.as_app(atom, Op::Eq)? else { return None };
        let (mut p, q) = (self.polynomial(a)?, self.polynomial(b)?);
        p.plus(u128::MAX, &Monomial::one(), &q);
        Some(p)
    }
}

/// A polynomial that is 0, and which equations say so.
#[derive(Clone)]
struct Row {
    zero: Polynomial,
    from: u64,
}

/// Rows by leading monomial.
#[derive(Default)]
struct Basis {
    rows: BTreeMap<Monomial, Row>,
    steps: usize,
}

impl Basis {
    fn insert(&mut self, row: Row) -> Option<()> {
        let mut todo = vec![row];
        while let Some(mut row) = todo.pop() {
            while let Some((m, c)) = row.zero.leading() {
                self.steps += 1;
                if self.steps > MOST_STEPS {
                    return None;
                }
                let m = m.clone();
                let Some(pivot) = self.rows.get(&m) else {
                    todo.extend(row.zero.annihilated().map(|zero| Row { zero, from: row.from }));
                    self.rows.insert(m, row);
                    break;
                };
                let by = pivot.zero.coefficient(&m);
                if c.trailing_zeros() < by.trailing_zeros() {
                    // The smaller coefficient is the better pivot.
                    todo.extend(row.zero.annihilated().map(|zero| Row { zero, from: row.from }));
                    row = self.rows.insert(m, row)?;
                    continue;
                }
                let q = row.zero.quotient(&m, by)?;
                row.zero.plus(q.wrapping_neg(), &Monomial::one(), &pivot.zero);
                row.from |= pivot.from;
            }
        }
        Some(())
    }

    /// What is left of a polynomial, the constant aside, is 0: the constant.
    fn constant(&self, mut row: Row) -> Option<(u128, u64)> {
        loop {
            if let Some(c) = row.zero.as_constant() {
                return Some((c, row.from));
            }
            let m = row.zero.leading()?.0.clone();
            let pivot = self.rows.get(&m)?;
            let q = row.zero.quotient(&m, pivot.zero.coefficient(&m))?;
            row.zero.plus(q.wrapping_neg(), &Monomial::one(), &pivot.zero);
            row.from |= pivot.from;
        }
    }
}

/// What some of the equations say of `goal`: the number that it is, and which of them say so.
fn decided(mut goal: Polynomial, equations: Vec<Polynomial>) -> Option<(u128, u64)> {
    let mut from = 0;
    let mut rows: Vec<Row> = equations.into_iter().enumerate().map(|(i, zero)| Row { zero, from: 1 << i }).collect();
    // Values of variables, as long as there are some.
    let mut kept = Vec::new();
    while let Some(at) = rows.iter().position(|r| r.zero.solved().is_some()) {
        let row = rows.remove(at);
        let Some((v, value)) = row.zero.solved() else { break };
        let put = |p: &Polynomial| if p.variables().contains(&v) { p.with(v, &value).map(Some) } else { Some(None) };
        let new: Option<Vec<Option<Polynomial>>> = rows.iter().chain(&kept).map(|r: &Row| put(&r.zero)).collect();
        let (Some(new), Some(g)) = (new, put(&goal)) else {
            kept.push(row);
            continue;
        };
        for (r, p) in rows.iter_mut().chain(&mut kept).zip(new) {
            if let Some(p) = p {
                r.zero = p;
                r.from |= row.from;
            }
        }
        if let Some(p) = g {
            goal = p;
            from |= row.from;
        }
    }
    rows.extend(kept);
    rows.retain(|r| !r.zero.is_zero());
    if let Some(c) = goal.as_constant() {
        return Some((c, from));
    }
    let degree = rows.iter().map(|r| r.zero.degree()).chain([goal.degree()]).max()?;
    let variables: BTreeSet<Term> = goal.variables();
    let mut basis = Basis::default();
    let mut multiples = 0;
    let mut multipliers = vec![Monomial::one()];
    let mut shell = multipliers.clone();
    for up_to in 0..degree {
        // Equations by themselves first, then multiplied.
        for m in &shell {
            for r in rows.iter().filter(|r| r.zero.degree() + up_to <= degree) {
                multiples += 1;
                if multiples > MOST_MULTIPLES {
                    break;
                }
                let mut zero = r.zero.scaled(0);
                zero.plus(1, m, &r.zero);
                basis.insert(Row { zero, from: r.from })?;
            }
        }
        if let Some(found) = basis.constant(Row { zero: goal.clone(), from }) {
            return Some(found);
        }
        let mut next: Vec<Monomial> =
            shell.iter().flat_map(|m| variables.iter().map(|v| m.times(&Monomial::variable(*v)))).collect();
        next.sort();
        next.dedup();
        multipliers.extend(next.iter().cloned());
        shell = next;
        if multiples > MOST_MULTIPLES || multipliers.len() > MOST_MULTIPLES {
            break;
        }
    }
    None
}

/// What a set of equations that hold in a model says about `goal`, another equation: whether it holds, and the truth
/// values of the model that this follows from. `truth` tells what the model says of a truth value.
///
/// `equations` are equalities of bit-vectors that hold in the model; `fuel` counts the terms that are read.
pub fn explain(
    pool: &mut Pool,
    goal: Term,
    equations: &[Term],
    truth: &mut dyn FnMut(&Pool, Term) -> bool,
    fuel: &mut u64,
) -> Option<(bool, Literals)> {
    let width = pool.width(*pool.as_app(goal, Op::Eq)?.first()?);
    if !(2..=128).contains(&width) {
        return None;
    }
    [false, true].into_iter().find_map(|chosen| attempt(pool, goal, equations, truth, fuel, (width, chosen)))
}

fn attempt(
    pool: &mut Pool,
    goal: Term,
    equations: &[Term],
    truth: &mut dyn FnMut(&Pool, Term) -> bool,
    fuel: &mut u64,
    (width, chosen): (u32, bool),
) -> Option<(bool, Literals)> {
    let mut reader =
        Reader { pool, truth, width, chosen, used: Literals::new(), read: BTreeMap::new(), left: MOST_TERMS, fuel };
    let q = reader.equation(goal)?;
    let mut used = std::mem::take(&mut reader.used);
    if let Some(c) = q.as_constant() {
        return Some((c == 0, used));
    }
    // Those that have to do with it, directly or not: the ones made before it first.
    let mut near = q.variables();
    let mut order: Vec<Term> = equations.iter().copied().filter(|e| *e != goal).collect();
    order.sort_unstable_by_key(|e| (*e > goal, if *e > goal { e.0 } else { u32::MAX - e.0 }));
    let mut all: Vec<(Term, Polynomial, Literals)> = Vec::new();
    for e in order {
        let same = reader.pool.as_app(e, Op::Eq).is_some_and(|a| reader.pool.width(a[0]) == width);
        if !same {
            continue;
        }
        // What a polynomial that was read before was made with is not known any more.
        reader.read.clear();
        reader.left = MOST_TERMS;
        if *reader.fuel == 0 {
            return None;
        }
        let Some(p) = reader.equation(e) else { continue };
        all.push((e, p, std::mem::take(&mut reader.used)));
    }
    let mut chosen_ones: Vec<(Term, Polynomial, Literals)> = Vec::new();
    loop {
        let (now, later): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(_, p, _)| p.variables().iter().any(|v| near.contains(v)));
        all = later;
        if now.is_empty() || chosen_ones.len() >= MOST_EQUATIONS {
            break;
        }
        for (e, p, l) in now {
            near.extend(p.variables());
            chosen_ones.push((e, p, l));
        }
    }
    chosen_ones.truncate(MOST_EQUATIONS);
    let polynomials: Vec<Polynomial> = chosen_ones.iter().map(|c| c.1.clone()).collect();
    let (c, from) = decided(q, polynomials)?;
    for (i, (e, _, literals)) in chosen_ones.into_iter().enumerate() {
        if from >> i & 1 == 1 {
            used.insert((e, true));
            used.extend(literals);
        }
    }
    Some((c == 0, used))
}

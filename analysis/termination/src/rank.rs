//! Lexicographic ranking functions of a loop, by counterexamples (malik-2023 ch. 2; the components need not be linear).
//!
//! A component is a number of fixed range that no turn raises. Of the turns that the components so far leave unchanged,
//! the next component lowers some and raises none; when nothing is left, no execution goes round for ever: the tuple
//! goes down lexicographically with every turn, and there are finitely many. Numbers are computed with so many bits that they
//! never wrap around, so nothing has to be shown about bounds: what has finitely many values has a least one.
//!
//! Candidates come from the quantities of the turn, cheapest first: each variable, signed and unsigned, its absolute
//! value, the distance of two compared numbers modulo the width, conditions as 0 and 1, any of them only where a
//! condition holds, sums and differences of two, and small linear combinations that the turns seen so far suggest. The turns that
//! refute one candidate are kept as samples and refute others without the solver.

use crate::session::Session;
use verify_encode::Turn;
use verify_kiki::infer::Ask;
use verify_solver::term::Node;
use verify_solver::{Op, Outcome, Pool, Term};

/// Bits of a component: sums of eight 64-bit numbers times small factors fit.
const WIDTH: u32 = 80;
/// Components of a tuple.
const MAX_COMPONENTS: usize = 12;
/// Samples that are kept.
const MAX_SAMPLES: usize = 400;

/// What may be spent on one loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Queries.
    pub queries: u32,
    /// Conflicts of each.
    pub conflicts: u64,
}

/// A number that may rank turns.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Item {
    before: Term,
    after: Term,
    what: String,
    /// Which variable it is of: sums are made of different ones. [`None`]: of several.
    of: Option<usize>,
}

/// A linear combination of items, by number; `only`: 0 unless this condition holds.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Candidate {
    parts: Vec<(usize, i64)>,
    only: Option<(usize, bool)>,
}

/// The tuple that was found, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// Components, the most significant first.
    pub components: Vec<String>,
}

/// Why there is no ranking function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// None of the candidates is one.
    Candidates,
    /// The budget did not suffice.
    Budget,
}

/// Looks for a ranking function of the turns that keep to the assumptions.
pub fn search(s: &mut Session<'_>, turn: &Turn, assumptions: &[Term], limits: Limits) -> Result<Ranking, Failure> {
    let mut base: Vec<Term> = assumptions.to_vec();
    base.push(turn.round);
    base.extend(divisions(s.pool(), turn));
    let mut w =
        Work { s, base, limits, items: Vec::new(), conditions: Vec::new(), samples: Vec::new(), left: limits.queries };
    match w.query(None)? {
        Outcome::Unsat(_) => return Ok(Ranking { components: Vec::new() }),
        Outcome::Unknown => return Err(Failure::Budget),
        Outcome::Sat => {}
    }
    w.make_items(turn);
    w.sample();
    let mut components = Vec::new();
    while components.len() < MAX_COMPONENTS {
        let Some((candidate, (before, after))) = w.component()? else { return Err(Failure::Candidates) };
        components.push(w.describe(&candidate));
        // What is left: turns that do not lower it. None raises it.
        let p = w.s.pool();
        let lowered = p.slt(after, before);
        let same = p.not(lowered);
        w.base.push(same);
        w.samples.retain(|x| candidate.on(x).is_some_and(|(b, a)| a >= b));
        match w.query(None)? {
            Outcome::Unsat(_) => return Ok(Ranking { components }),
            Outcome::Unknown => return Err(Failure::Budget),
            Outcome::Sat => w.sample(),
        }
    }
    Err(Failure::Candidates)
}

/// Values of all items and conditions before and after one turn.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Sample {
    items: Vec<(i128, i128)>,
    conditions: Vec<(bool, bool)>,
}

/// A component that holds: what it is made of, and its value before and after a turn.
type Component = (Candidate, (Term, Term));

impl Candidate {
    /// Before and after. [`None`]: too large to be computed with here.
    fn on(&self, x: &Sample) -> Option<(i128, i128)> {
        let (mut b, mut a) = (0i128, 0i128);
        for (i, c) in &self.parts {
            b = b.checked_add(x.items[*i].0.checked_mul(i128::from(*c))?)?;
            a = a.checked_add(x.items[*i].1.checked_mul(i128::from(*c))?)?;
        }
        if let Some((p, positive)) = self.only {
            let (before, after) = x.conditions[p];
            b = if before == positive { b } else { 0 };
            a = if after == positive { a } else { 0 };
        }
        Some((b, a))
    }
}

struct Work<'w, 'a> {
    s: &'w mut Session<'a>,
    /// The turns in question: all of these hold.
    base: Vec<Term>,
    limits: Limits,
    items: Vec<Item>,
    conditions: Vec<Item>,
    samples: Vec<Sample>,
    left: u32,
}

impl Work<'_, '_> {
    fn query(&mut self, also: Option<Term>) -> Result<Outcome, Failure> {
        self.left = self.left.checked_sub(1).ok_or(Failure::Budget)?;
        if self.s.exhausted() {
            return Err(Failure::Budget);
        }
        let mut all = self.base.clone();
        all.extend(also);
        Ok(self.s.all(&all, self.limits.conflicts))
    }

    /// Keeps the turn of the last model.
    fn sample(&mut self) {
        if self.samples.len() >= MAX_SAMPLES {
            return;
        }
        let s = &mut *self.s;
        let items = self.items.iter().map(|i| (s.number(i.before), s.number(i.after))).collect();
        let mut truth = |t: Term| s.value(t).is_one();
        let conditions = self.conditions.iter().map(|i| (truth(i.before), truth(i.after))).collect();
        self.samples.push(Sample { items, conditions });
    }

    fn make_items(&mut self, turn: &Turn) {
        let p = self.s.pool();
        let mut items: Vec<Item> = Vec::new();
        let mut conditions: Vec<Item> = Vec::new();
        let mut push = |p: &Pool, before, after, what: String, of| {
            let constant = p.as_const(before).is_some() && before == after;
            if !constant && before != after && !items.iter().any(|i| i.before == before && i.after == after) {
                items.push(Item { before, after, what, of });
            }
        };
        for (k, q) in turn.quantities.iter().enumerate().filter(|(_, q)| !q.fixed) {
            let w = p.width(q.before);
            if q.float {
                let (b, a) = (ordered(p, q.before), ordered(p, q.after));
                push(p, b, a, q.what.clone(), Some(k));
                continue;
            }
            if w > 1 {
                let (b, a) = (p.sext(q.before, WIDTH), p.sext(q.after, WIDTH));
                push(p, b, a, q.what.clone(), Some(k));
            }
            let (b, a) = (p.zext(q.before, WIDTH), p.zext(q.after, WIDTH));
            push(p, b, a, format!("(unsigned) {}", q.what), Some(k));
        }
        for (k, q) in turn.quantities.iter().enumerate().filter(|(_, q)| !q.fixed && !q.float) {
            if p.width(q.before) > 1 {
                let (b, a) = (absolute(p, q.before), absolute(p, q.after));
                push(p, b, a, format!("|{}|", q.what), Some(k));
            }
        }
        for pair in &turn.pairs {
            match pair.second {
                None => {
                    let (b, a) = pair.first;
                    conditions.push(Item { before: b, after: a, what: pair.what.clone(), of: None });
                    let (b, a) = (p.zext(b, WIDTH), p.zext(a, WIDTH));
                    push(p, b, a, format!("[{}]", pair.what), None);
                }
                Some((c, d)) => {
                    let (x, y) = pair.first;
                    let (b, a) = (p.sub(x, c), p.sub(y, d));
                    let (nb, na) = (p.neg(b), p.neg(a));
                    let (sb, sa) = (absolute(p, b), absolute(p, a));
                    let (b, a) = (p.zext(b, WIDTH), p.zext(a, WIDTH));
                    push(p, b, a, format!("({}) mod 2^n", pair.what), None);
                    let (b, a) = (p.zext(nb, WIDTH), p.zext(na, WIDTH));
                    push(p, b, a, format!("-({}) mod 2^n", pair.what), None);
                    push(p, sb, sa, format!("|{}|", pair.what), None);
                    let wide = |p: &mut Pool, x, y| {
                        let (x, y) = (p.sext(x, WIDTH), p.sext(y, WIDTH));
                        p.sub(x, y)
                    };
                    let (b, a) = (wide(p, x, c), wide(p, y, d));
                    push(p, b, a, pair.what.clone(), None);
                    // Conditions that the program does not write down.
                    for (less, what) in [(true, "<"), (false, "=")] {
                        let (b, a) = if less { (p.slt(x, c), p.slt(y, d)) } else { (p.eq(x, c), p.eq(y, d)) };
                        let known = |i: &Item| i.before == b && i.after == a;
                        if p.as_const(b).is_none() && !conditions.iter().any(known) {
                            let what = pair.what.replacen(" - ", &format!(" {what} "), 1);
                            conditions.push(Item { before: b, after: a, what, of: None });
                        }
                    }
                }
            }
        }
        for (k, q) in turn.quantities.iter().enumerate().filter(|(_, q)| !q.fixed && !q.float) {
            let w = p.width(q.before);
            if w > 1 {
                let zero = p.num(w, 0);
                let (b, a) = (p.slt(zero, q.before), p.slt(zero, q.after));
                if !conditions.iter().any(|i| i.before == b && i.after == a) {
                    conditions.push(Item { before: b, after: a, what: format!("{} > 0", q.what), of: Some(k) });
                }
            }
        }
        self.items = items;
        self.conditions = conditions;
    }

    /// The next component: it lowers a turn of the samples, and raises none at all.
    fn component(&mut self) -> Result<Option<Component>, Failure> {
        let n = self.items.len();
        let signs = [1i64, -1];
        let single = (0..n).flat_map(|i| signs.map(|c| Candidate { parts: vec![(i, c)], only: None }));
        for c in single.collect::<Vec<_>>() {
            if let Some(found) = self.try_candidate(c)? {
                return Ok(Some(found));
            }
        }
        let m = self.conditions.len();
        let conditions = (0..m).flat_map(|p| [(p, true), (p, false)]);
        for only in conditions.collect::<Vec<_>>() {
            for i in 0..n {
                for c in signs {
                    if let Some(found) = self.try_candidate(Candidate { parts: vec![(i, c)], only: Some(only) })? {
                        return Ok(Some(found));
                    }
                }
            }
        }
        for i in 0..n {
            for j in 0..i {
                let different = match (self.items[i].of, self.items[j].of) {
                    (Some(a), Some(b)) => a != b,
                    _ => false,
                };
                if !different {
                    continue;
                }
                for (c, d) in [(1, 1), (1, -1), (-1, 1), (-1, -1), (1, -2), (-1, 2), (2, -1), (-2, 1)] {
                    if let Some(found) = self.try_candidate(Candidate { parts: vec![(i, c), (j, d)], only: None })? {
                        return Ok(Some(found));
                    }
                }
            }
        }
        self.combination()
    }

    /// A candidate that no sample speaks against is asked of the solver.
    fn try_candidate(&mut self, c: Candidate) -> Result<Option<Component>, Failure> {
        let mut lowers = false;
        for x in &self.samples {
            match c.on(x) {
                Some((b, a)) if a <= b => lowers |= a < b,
                _ => return Ok(None),
            }
        }
        if !lowers {
            return Ok(None);
        }
        let (before, after) = self.terms(&c);
        let raised = self.s.pool().slt(before, after);
        match self.query(Some(raised))? {
            Outcome::Unsat(_) => Ok(Some((c, (before, after)))),
            Outcome::Unknown => Ok(None),
            Outcome::Sat => {
                self.sample();
                Ok(None)
            }
        }
    }

    fn terms(&mut self, c: &Candidate) -> (Term, Term) {
        let p = self.s.pool();
        let zero = p.num(WIDTH, 0);
        let (mut before, mut after) = (zero, zero);
        for (i, k) in &c.parts {
            let factor = p.num(WIDTH, *k as i128 as u128 & (u128::MAX >> (128 - WIDTH)));
            let (b, a) = (p.mul(self.items[*i].before, factor), p.mul(self.items[*i].after, factor));
            before = p.add(before, b);
            after = p.add(after, a);
        }
        if let Some((k, positive)) = c.only {
            let (b, a) = (self.conditions[k].before, self.conditions[k].after);
            let mut pick = |c, x| if positive { p.ite(c, x, zero) } else { p.ite(c, zero, x) };
            (before, after) = (pick(b, before), pick(a, after));
        }
        (before, after)
    }

    /// Small factors such that no sample is raised and one is lowered, found by hill climbing from samples: coordinate
    /// search over the differences.
    fn combination(&mut self) -> Result<Option<Component>, Failure> {
        // The signed number of each variable only.
        let mut chosen: Vec<usize> = Vec::new();
        for (i, item) in self.items.iter().enumerate() {
            let first = item.of.is_some() && !chosen.iter().any(|j| self.items[*j].of == item.of);
            if first && chosen.len() < 6 {
                chosen.push(i);
            }
        }
        if chosen.len() < 2 {
            return Ok(None);
        }
        for _ in 0..24 {
            let Some(parts) = self.perceptron(&chosen) else { return Ok(None) };
            let before = self.samples.len();
            if let Some(found) = self.try_candidate(Candidate { parts, only: None })? {
                return Ok(Some(found));
            }
            if self.samples.len() == before {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Integer factors that lower every sample, by the rule of the perceptron on directions.
    fn perceptron(&self, chosen: &[usize]) -> Option<Vec<(usize, i64)>> {
        let mut factors = vec![0i64; chosen.len()];
        for _ in 0..4_000 {
            let mut wrong = None;
            for x in &self.samples {
                let differences: Vec<i128> = chosen.iter().map(|i| x.items[*i].0 - x.items[*i].1).collect();
                let sum: i128 = differences.iter().zip(&factors).map(|(d, f)| d * i128::from(*f)).sum();
                if sum <= 0 {
                    wrong = Some(differences);
                    break;
                }
            }
            let Some(d) = wrong else {
                let parts: Vec<(usize, i64)> = chosen.iter().copied().zip(factors).filter(|(_, f)| *f != 0).collect();
                return (!parts.is_empty()).then_some(parts);
            };
            for (f, x) in factors.iter_mut().zip(&d) {
                *f += x.signum() as i64;
                if f.abs() > 64 {
                    return None;
                }
            }
        }
        None
    }

    fn describe(&self, c: &Candidate) -> String {
        let mut out = String::new();
        for (i, f) in &c.parts {
            let sign = if *f < 0 {
                "-"
            } else if out.is_empty() {
                ""
            } else {
                "+"
            };
            let factor = if f.abs() == 1 { String::new() } else { format!("{}*", f.abs()) };
            let space = if out.is_empty() { "" } else { " " };
            out += &format!("{space}{sign}{space}{factor}{}", self.items[*i].what);
        }
        match c.only {
            None => out,
            Some((k, true)) => format!("({out} where {})", self.conditions[k].what),
            Some((k, false)) => format!("({out} where not {})", self.conditions[k].what),
        }
    }
}

/// What holds of quotients and remainders, so that no circuit has to be looked into for it.
fn divisions(p: &mut Pool, turn: &Turn) -> Vec<Term> {
    let mut roots = vec![turn.round];
    roots.extend(turn.quantities.iter().flat_map(|q| [q.before, q.after]));
    let mut out = Vec::new();
    for t in p.cone(&roots) {
        let (a, b, remainder) = match p.node(t) {
            Node::App(Op::URem, x) => (x[0], x[1], true),
            Node::App(Op::UDiv, x) => (x[0], x[1], false),
            _ => continue,
        };
        let w = p.width(b);
        let zero = p.num(w, 0);
        let by_zero = p.eq(b, zero);
        let bounded = p.ule(t, a);
        if remainder {
            let less = p.ult(t, b);
            let less = p.or(by_zero, less);
            out.extend([bounded, less]);
        } else {
            out.push(p.or(by_zero, bounded));
            // By 2 and more, a quotient is less than what is divided.
            let one = p.num(w, 1);
            let by_one = p.ule(b, one);
            let nothing = p.eq(a, zero);
            let less = p.ult(t, a);
            let less = p.or(nothing, less);
            out.push(p.or(by_one, less));
        }
    }
    out
}

/// Floating-point bits as a number that grows with the value.
fn ordered(p: &mut Pool, x: Term) -> Term {
    let w = p.width(x);
    let (sign, rest) = (p.extract(x, w - 1, w - 1), p.extract(x, w - 2, 0));
    let rest = p.zext(rest, WIDTH);
    let negative = p.neg(rest);
    p.ite(sign, negative, rest)
}

fn absolute(p: &mut Pool, x: Term) -> Term {
    let x = p.sext(x, WIDTH);
    let zero = p.num(WIDTH, 0);
    let below = p.slt(x, zero);
    let negative = p.neg(x);
    p.ite(below, negative, x)
}

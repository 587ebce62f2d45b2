//! Lexicographic ranking functions of a loop, by counterexamples (malik-2023 ch. 2; the components need not be linear).
//!
//! A component is a number of fixed range that no turn raises. Of the turns that the components so far leave unchanged,
//! the next component lowers some and raises none; when nothing is left, no execution goes round for ever: the tuple
//! goes down lexicographically with every turn, and there are finitely many. Numbers are computed with so many bits that they
//! never wrap around, so nothing has to be shown about bounds: what has finitely many values has a least one.
//!
//! Candidates come from the quantities of the turn, cheapest first: each variable, signed and unsigned, its absolute
//! value, its bits from the other end where it is shifted, the distance of two compared numbers modulo the width, conditions as 0 and 1, any of them only where a
//! condition holds, sums and differences of two, and small linear combinations that the turns seen so far suggest. The turns that
//! refute one candidate are kept as samples and refute others without the solver.

use crate::direction;
use crate::session::Session;
use verify_encode::Turn;
use verify_kiki::infer::Ask;
use verify_solver::term::Node;
use verify_solver::{Op, Outcome, Pool, Term};

/// Bits of a component: sums of eight 64-bit numbers times small factors fit.
const WIDTH: u32 = 80;
const MASK: u128 = u128::MAX >> (128 - WIDTH);
/// Components of a tuple.
const MAX_COMPONENTS: usize = 12;
/// Samples that are kept.
const MAX_SAMPLES: usize = 400;
/// Sums that are asked of the solver for one condition.
const COUNTEREXAMPLES: usize = 24;
/// Variables that sums are made of.
const MAX_VARIABLES: usize = 6;
/// Different numbers that a variable changes by, if they are to be told apart.
const MAX_STEPS: usize = 4;
/// Numbers that the loop leaves as they are whose sign is a condition.
const MAX_FIXED: usize = 6;

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

/// A sum of items, by number, with factors, and a constant.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Linear {
    parts: Vec<(usize, i64)>,
    constant: i64,
}

/// A sum where a condition holds and another where it does not; without a condition the first.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Candidate {
    split: Option<usize>,
    yes: Linear,
    no: Linear,
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
    w.steps()?;
    let mut components = Vec::new();
    while components.len() < MAX_COMPONENTS {
        let Some((candidate, lowered)) = w.component()? else { return Err(Failure::Candidates) };
        components.push(w.describe(&candidate));
        // What is left: turns that do not lower it. None raises it.
        let same = w.s.pool().not(lowered);
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

/// A component that holds: what it is made of, and whether a turn lowers it.
type Component = (Candidate, Term);

impl Linear {
    fn of(parts: Vec<(usize, i64)>) -> Linear {
        Linear { parts, constant: 0 }
    }

    fn is_zero(&self) -> bool {
        self.parts.is_empty() && self.constant == 0
    }

    /// Of the values that `value` picks. [`None`]: too large to be computed with here.
    fn on(&self, x: &Sample, value: impl Fn(&(i128, i128)) -> i128) -> Option<i128> {
        self.parts.iter().try_fold(i128::from(self.constant), |sum, (i, c)| {
            sum.checked_add(value(&x.items[*i]).checked_mul(i128::from(*c))?)
        })
    }
}

impl Candidate {
    fn sum(parts: Vec<(usize, i64)>) -> Candidate {
        Candidate { split: None, yes: Linear::of(parts), no: Linear::default() }
    }

    /// 0 elsewhere.
    fn only(parts: Vec<(usize, i64)>, condition: usize, positive: bool) -> Candidate {
        let (mut yes, mut no) = (Linear::of(parts), Linear::default());
        if !positive {
            std::mem::swap(&mut yes, &mut no);
        }
        Candidate { split: Some(condition), yes, no }
    }

    /// Before and after. [`None`]: too large to be computed with here.
    fn on(&self, x: &Sample) -> Option<(i128, i128)> {
        let (before, after) = self.split.map_or((true, true), |p| x.conditions[p]);
        let piece = |c: bool| if c { &self.yes } else { &self.no };
        Some((piece(before).on(x, |v| v.0)?, piece(after).on(x, |v| v.1)?))
    }

    /// It lowers some of the samples and raises none.
    fn suits(&self, samples: &[Sample]) -> bool {
        let mut lowers = false;
        for x in samples {
            match self.on(x) {
                Some((b, a)) if a <= b => lowers |= a < b,
                _ => return false,
            }
        }
        lowers
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
        // A number that is shifted to the left comes to nothing from its low end.
        for q in turn.quantities.iter().filter(|q| !q.fixed && !q.float) {
            let shifts = |p: &Pool, t: Term| matches!(p.node(t), Node::App(Op::Shl | Op::Mul | Op::Concat, _));
            if p.width(q.before) > 1 && p.cone(&[q.after]).into_iter().any(|t| shifts(p, t)) {
                let (b, a) = (mirrored(p, q.before), mirrored(p, q.after));
                let (b, a) = (p.zext(b, WIDTH), p.zext(a, WIDTH));
                push(p, b, a, format!("{} from its low end", q.what), None);
            }
        }
        let mut fixed = 0;
        for (k, q) in turn.quantities.iter().enumerate().filter(|(_, q)| !q.float) {
            let w = p.width(q.before);
            if q.fixed {
                fixed += 1;
            }
            if w > 1 && (!q.fixed || fixed <= MAX_FIXED && p.as_const(q.before).is_none()) {
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
        let single = (0..n).flat_map(|i| signs.map(|c| Candidate::sum(vec![(i, c)])));
        for c in single.collect::<Vec<_>>() {
            if let Some(found) = self.try_candidate(c)? {
                return Ok(Some(found));
            }
        }
        if let Some(found) = self.combination(None)? {
            return Ok(Some(found));
        }
        let m = self.conditions.len();
        let conditions = (0..m).flat_map(|p| [(p, true), (p, false)]);
        for (p, positive) in conditions.collect::<Vec<_>>() {
            for i in 0..n {
                for c in signs {
                    if let Some(found) = self.try_candidate(Candidate::only(vec![(i, c)], p, positive))? {
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
                    if let Some(found) = self.try_candidate(Candidate::sum(vec![(i, c), (j, d)]))? {
                        return Ok(Some(found));
                    }
                }
            }
        }
        for p in 0..m {
            if let Some(found) = self.combination(Some(p))? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// A candidate that no sample speaks against is asked of the solver.
    fn try_candidate(&mut self, c: Candidate) -> Result<Option<Component>, Failure> {
        if !c.suits(&self.samples) {
            return Ok(None);
        }
        let (raised, lowered) = self.changes(&c);
        match self.query(Some(raised))? {
            Outcome::Unsat(_) => Ok(Some((c, lowered))),
            Outcome::Unknown => Ok(None),
            Outcome::Sat => {
                self.sample();
                Ok(None)
            }
        }
    }

    /// Whether a turn raises it, and whether one lowers it.
    fn changes(&mut self, c: &Candidate) -> (Term, Term) {
        let (yes_before, yes_after) = self.sum(&c.yes);
        let (no_before, no_after) = self.sum(&c.no);
        let p = self.s.pool();
        let (b, a) = c.split.map_or((p.tt(), p.tt()), |k| (self.conditions[k].before, self.conditions[k].after));
        let (before, after) = (p.ite(b, yes_before, no_before), p.ite(a, yes_after, no_after));
        let (raised, lowered) = (p.slt(before, after), p.slt(after, before));
        if c.yes.parts.len().max(c.no.parts.len()) < 2 {
            return (raised, lowered);
        }
        // Within one piece the change of a sum is the sum of the changes, of which something may be known.
        let (yes, no) = (self.change(&c.yes), self.change(&c.no));
        let p = self.s.pool();
        let (change, zero) = (p.ite(b, yes, no), p.num(WIDTH, 0));
        let one_piece = p.eq(b, a);
        let (more, less) = (p.slt(zero, change), p.slt(change, zero));
        (p.ite(one_piece, more, raised), p.ite(one_piece, less, lowered))
    }

    /// Before and after.
    fn sum(&mut self, l: &Linear) -> (Term, Term) {
        let p = self.s.pool();
        let constant = wide(p, l.constant);
        let (mut before, mut after) = (constant, constant);
        for (i, k) in &l.parts {
            let factor = wide(p, *k);
            let (b, a) = (p.mul(self.items[*i].before, factor), p.mul(self.items[*i].after, factor));
            before = p.add(before, b);
            after = p.add(after, a);
        }
        (before, after)
    }

    /// After less before.
    fn change(&mut self, l: &Linear) -> Term {
        let p = self.s.pool();
        let mut out = p.num(WIDTH, 0);
        for (i, k) in &l.parts {
            let factor = wide(p, *k);
            let change = p.sub(self.items[*i].after, self.items[*i].before);
            let change = p.mul(change, factor);
            out = p.add(out, change);
        }
        out
    }

    /// The signed number of each variable only.
    fn variables(&self) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::new();
        for (i, item) in self.items.iter().enumerate() {
            let first = item.of.is_some() && !chosen.iter().any(|j| self.items[*j].of == item.of);
            if first && chosen.len() < MAX_VARIABLES {
                chosen.push(i);
            }
        }
        chosen
    }

    /// Variables that change by few numbers, as counters do: that it is only these is shown once and for all, so that no
    /// sum has to be looked into for it.
    fn steps(&mut self) -> Result<(), Failure> {
        let variables = self.variables();
        if variables.len() < 2 {
            return Ok(());
        }
        for i in variables {
            // Each round finds one more.
            for _ in 0..=MAX_STEPS {
                let mut steps: Vec<i128> = self.samples.iter().map(|x| x.items[i].1 - x.items[i].0).collect();
                steps.sort_unstable();
                steps.dedup();
                if steps.len() > MAX_STEPS {
                    break;
                }
                let p = self.s.pool();
                let change = p.sub(self.items[i].after, self.items[i].before);
                let steps: Vec<Term> = steps.iter().map(|v| p.num(WIDTH, *v as u128 & MASK)).collect();
                let one: Vec<Term> = steps.into_iter().map(|v| p.eq(change, v)).collect();
                let one = p.or_all(one);
                let other = p.not(one);
                match self.query(Some(other))? {
                    Outcome::Unsat(_) => {
                        self.base.push(one);
                        break;
                    }
                    Outcome::Unknown => break,
                    Outcome::Sat => self.sample(),
                }
            }
        }
        Ok(())
    }

    /// A sum of variables, or one where a condition holds and another where it does not, that the turns seen so far
    /// suggest: it lowers each of them that changes anything of it.
    fn combination(&mut self, split: Option<usize>) -> Result<Option<Component>, Failure> {
        let chosen = self.variables();
        if split.is_none() && chosen.len() < 2 {
            return Ok(None);
        }
        for _ in 0..COUNTEREXAMPLES {
            let Some(c) = self.suggested(&chosen, split) else { return Ok(None) };
            let before = self.samples.len();
            if let Some(found) = self.try_candidate(c)? {
                return Ok(Some(found));
            }
            if self.samples.len() == before {
                return Ok(None);
            }
        }
        Ok(None)
    }

    fn suggested(&self, chosen: &[usize], split: Option<usize>) -> Option<Candidate> {
        // Columns: the variables and a constant where the condition holds, and again where it does not.
        let n = chosen.len() + 1;
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for x in &self.samples {
            let (before, after) = split.map_or((true, true), |p| x.conditions[p]);
            let mut row = vec![0.0; 2 * n];
            let at = |c: bool, k: usize| k + if c { 0 } else { n };
            for (k, i) in chosen.iter().enumerate() {
                row[at(before, k)] += x.items[*i].0 as f64;
                row[at(after, k)] -= x.items[*i].1 as f64;
            }
            row[at(before, n - 1)] += 1.0;
            row[at(after, n - 1)] -= 1.0;
            if row.iter().any(|x| *x != 0.0) && !rows.contains(&row) {
                rows.push(row);
            }
        }
        let w = direction::direction(&rows)?;
        let candidate = |f: &[i64]| {
            let linear = |f: &[i64]| Linear {
                parts: chosen.iter().copied().zip(f.iter().copied()).filter(|(_, f)| *f != 0).collect(),
                constant: f[n - 1],
            };
            let (yes, no) = (linear(&f[..n]), linear(&f[n..]));
            Candidate { split, yes, no }
        };
        direction::whole(&w, |f| candidate(f).suits(&self.samples)).map(|f| candidate(&f))
    }

    fn describe(&self, c: &Candidate) -> String {
        let Some(k) = c.split else { return self.written(&c.yes) };
        let what = &self.conditions[k].what;
        match (c.yes.is_zero(), c.no.is_zero()) {
            (_, true) => format!("({} where {what})", self.written(&c.yes)),
            (true, false) => format!("({} where not {what})", self.written(&c.no)),
            (false, false) => format!("({} where {what}, else {})", self.written(&c.yes), self.written(&c.no)),
        }
    }

    fn written(&self, l: &Linear) -> String {
        let constant = (l.constant != 0 || l.parts.is_empty()).then_some((l.constant, None));
        let mut out = String::new();
        for (f, what) in l.parts.iter().map(|(i, f)| (*f, Some(&self.items[*i].what))).chain(constant) {
            let sign = match (f < 0, out.is_empty()) {
                (true, true) => "-",
                (false, true) => "",
                (true, false) => " - ",
                (false, false) => " + ",
            };
            out += sign;
            out += &match (what, f.abs()) {
                (Some(what), 1) => what.clone(),
                (Some(what), f) => format!("{f}*{what}"),
                (None, f) => f.to_string(),
            };
        }
        out
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

/// A number of a component.
fn wide(p: &mut Pool, k: i64) -> Term {
    p.num(WIDTH, i128::from(k) as u128 & MASK)
}

/// Floating-point bits as a number that grows with the value.
fn ordered(p: &mut Pool, x: Term) -> Term {
    let w = p.width(x);
    let (sign, rest) = (p.extract(x, w - 1, w - 1), p.extract(x, w - 2, 0));
    let rest = p.zext(rest, WIDTH);
    let negative = p.neg(rest);
    p.ite(sign, negative, rest)
}

/// The lowest bit first.
fn mirrored(p: &mut Pool, x: Term) -> Term {
    let bits: Vec<Term> = (0..p.width(x)).map(|i| p.extract(x, i, i)).collect();
    bits.into_iter().reduce(|high, low| p.concat(high, low)).unwrap_or(x)
}

fn absolute(p: &mut Pool, x: Term) -> Term {
    let x = p.sext(x, WIDTH);
    let zero = p.num(WIDTH, 0);
    let below = p.slt(x, zero);
    let negative = p.neg(x);
    p.ite(below, negative, x)
}

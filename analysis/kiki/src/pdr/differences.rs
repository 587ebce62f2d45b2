//! Differences of two numbers of a loop, as numbers of their own: what a program copies and then counts on from stays at a
//! small distance (`token == local + 1` in some state), which no bounds of either say. They take part in combinations of
//! values and in lemmas as any number does.
//!
//! A pair is looked at where both numbers may come from one thing, with a constant added, or one from the other. The
//! difference wraps as the numbers do: what is added to one is added to it, without a carry of its own. So that no solver
//! has to find that out by bits, an iteration begins with the second number and the difference, and the first is the sum
//! of both ([`Change`]); the difference where it ends is worked out case by case.

use super::{Head, Key, Name};
use std::collections::{BTreeMap, BTreeSet};
use verify_encode::{Named, Number};
use verify_facts::invariant::Part;
use verify_solver::{Bv, Op, Pool, Sort, Term, term::Node};

/// Differences of one head.
const MAX_DIFFERENCES: usize = 8;
/// Things that a number may come from.
const MAX_ORIGINS: usize = 64;
/// Cases of a difference.
const MAX_CASES: usize = 400;

/// A change of variables.
#[derive(Default)]
pub(super) struct Change {
    /// Terms, and what is put in their place.
    pub with: BTreeMap<Term, Term>,
    /// That they are equal, to be assumed: definitions of the variables that are new.
    pub defined: Vec<Term>,
    /// By the variables that an iteration begins with, their difference.
    between: BTreeMap<(Term, Term), Term>,
}

/// Adds them to each head, whose terms are changed by what is returned.
pub(super) fn add(pool: &mut Pool, heads: &mut [Head]) -> Change {
    let mut change = Change::default();
    let pairs = pairs(pool, heads);
    for (head, pairs) in heads.iter_mut().zip(&pairs) {
        for i in 0..head.begins.len() {
            let mut all = Vec::new();
            for (a, b) in pairs {
                let numbers = &head.begins[i].1;
                let (x, y) = (numbers[&Key::Number(*a)], numbers[&Key::Number(*b)]);
                all.push((Key::Difference(*a, *b), change.begin(pool, x, y)));
            }
            change.apply(pool, head.begins[i].1.values_mut());
            head.begins[i].1.extend(all);
        }
    }
    for (head, pairs) in heads.iter_mut().zip(pairs) {
        if !change.with.is_empty() {
            let terms = head.ways.iter_mut().chain([&mut head.arrives]).chain(head.numbers.values_mut());
            change.apply(pool, terms.chain(head.begins.iter_mut().map(|b| &mut b.0)));
        }
        for (a, b) in pairs {
            let (x, y) = (head.numbers[&Key::Number(a)], head.numbers[&Key::Number(b)]);
            let d = change.difference(pool, x, y);
            head.numbers.insert(Key::Difference(a, b), d);
            if let (Some(x), Some(y)) = (head.named.get(&Key::Number(a)), head.named.get(&Key::Number(b))) {
                let minus = y.parts.iter().map(|p| Part { minus: !p.minus, ..*p });
                let parts = x.parts.iter().copied().chain(minus).collect();
                head.named.insert(Key::Difference(a, b), Named { parts, ..x.clone() });
            }
        }
    }
    change
}

/// The pairs of each head; which of two is the first is only a matter of their names.
fn pairs(pool: &Pool, heads: &[Head]) -> Vec<Vec<(Name, Name)>> {
    let mut pairs: BTreeSet<(usize, Name, Name)> = BTreeSet::new();
    for (h, head) in heads.iter().enumerate() {
        let mut by_origin: BTreeMap<Term, BTreeSet<Name>> = BTreeMap::new();
        for (k, value) in &head.numbers {
            let Key::Number(n) = *k else { continue };
            if pool.width(*value) > 1 {
                origins(pool, *value).into_iter().for_each(|o| {
                    by_origin.entry(o).or_default().insert(n);
                });
            }
        }
        for together in by_origin.values() {
            for a in together {
                pairs.extend(together.range(..*a).map(|b| (h, *a, *b)));
            }
        }
    }
    // What two places have to do with each other goes through all loops.
    let everywhere: BTreeSet<(Name, Name)> =
        pairs.iter().filter(|(_, a, b)| Number::is_cell(a) && Number::is_cell(b)).map(|(_, a, b)| (*a, *b)).collect();
    let of = |(h, head): (usize, &Head)| {
        let own = pairs.iter().filter(|p| p.0 == h).map(|(_, a, b)| (*a, *b));
        let all: BTreeSet<(Name, Name)> = own.chain(everywhere.iter().copied()).collect();
        let width = |n: Name| head.numbers.get(&Key::Number(n)).map(|t| pool.width(*t));
        let known = |(a, b): &(Name, Name)| width(*a).is_some() && width(*a) == width(*b);
        all.into_iter().filter(known).take(MAX_DIFFERENCES).collect()
    };
    heads.iter().enumerate().map(of).collect()
}

/// What a number is in some case but for a constant that is added; nothing, where there is too much of it.
fn origins(pool: &Pool, value: Term) -> BTreeSet<Term> {
    let (mut open, mut been, mut out) = (vec![value], BTreeSet::new(), BTreeSet::new());
    while let Some(t) = open.pop() {
        if !been.insert(t) {
            continue;
        }
        if been.len() > MAX_ORIGINS {
            return BTreeSet::new();
        }
        match pool.node(t) {
            Node::Const(_) => {}
            Node::App(Op::Ite, a) => open.extend([a[1], a[2]]),
            Node::App(Op::Add, a) if pool.as_const(a[1]).is_some() => open.push(a[0]),
            _ => {
                out.insert(t);
            }
        }
    }
    out
}

impl Change {
    /// Changes the terms.
    pub(super) fn apply<'t>(&self, pool: &mut Pool, terms: impl Iterator<Item = &'t mut Term>) {
        let places: Vec<&mut Term> = terms.collect();
        let old: Vec<Term> = places.iter().map(|t| **t).collect();
        for (place, new) in places.into_iter().zip(pool.substitute(&self.with, &old)) {
            *place = new;
        }
    }

    /// `x - y` where an iteration begins with these; from now on, `x` is the sum of that and of `y`.
    fn begin(&mut self, pool: &mut Pool, x: Term, y: Term) -> Term {
        let known = self.between.len();
        let now = pool.substitute(&self.with, &[x, y]);
        let d = self.split(pool, now[0], now[1], &mut BTreeMap::new(), true);
        let within = pool.cone(&[now[1], d]).contains(&x);
        if self.between.len() > known && !self.with.contains_key(&x) && !within {
            let sum = pool.add(now[1], d);
            self.with.insert(x, sum);
        }
        d
    }

    /// `x - y` anywhere, both changed.
    fn difference(&mut self, pool: &mut Pool, x: Term, y: Term) -> Term {
        self.split(pool, x, y, &mut BTreeMap::new(), false)
    }

    /// `x - y` by the cases of both; `begin`: the difference of two variables is one, too.
    fn split(
        &mut self,
        pool: &mut Pool,
        x: Term,
        y: Term,
        been: &mut BTreeMap<(Term, Term), Term>,
        begin: bool,
    ) -> Term {
        if let Some(d) = been.get(&(x, y)) {
            return *d;
        }
        let few = been.len() < MAX_CASES;
        let cases = |t: Term| pool.as_app(t, Op::Ite).map(|a| (a[0], a[1], a[2]));
        let d = match (cases(x), cases(y)) {
            _ if x == y => pool.constant(Bv::zero(pool.width(x))),
            (Some((c, p, q)), Some((d, r, s))) if few && c == d => {
                let (p, q) = (self.split(pool, p, r, been, begin), self.split(pool, q, s, been, begin));
                pool.ite(c, p, q)
            }
            (Some((c, p, q)), _) if few && x > y => {
                let (p, q) = (self.split(pool, p, y, been, begin), self.split(pool, q, y, been, begin));
                pool.ite(c, p, q)
            }
            // What was made later is taken apart first.
            (_, Some((c, p, q))) if few && y > x => {
                let (p, q) = (self.split(pool, x, p, been, begin), self.split(pool, x, q, been, begin));
                pool.ite(c, p, q)
            }
            _ if begin && [x, y].iter().all(|t| matches!(pool.node(*t), Node::Var(_))) => self.variable(pool, x, y),
            _ => match without(pool, x, y) {
                Some((x, rest)) => {
                    let d = self.split(pool, x, y, been, begin);
                    pool.add(d, rest)
                }
                None => match without(pool, y, x) {
                    Some((y, rest)) => {
                        let d = self.split(pool, x, y, been, begin);
                        pool.sub(d, rest)
                    }
                    None => pool.sub(x, y),
                },
            },
        };
        been.insert((x, y), d);
        d
    }

    fn variable(&mut self, pool: &mut Pool, x: Term, y: Term) -> Term {
        if let Some(d) = self.between.get(&(x, y)) {
            return *d;
        }
        let d = pool.fresh("a difference", Sort::Bv(pool.width(x)));
        let sum = pool.add(y, d);
        self.defined.push(pool.eq(x, sum));
        self.between.insert((x, y), d);
        d
    }
}

/// A sum as what is to be compared with `other`, and the rest of it: `other` itself, or all but a constant.
fn without(pool: &mut Pool, sum: Term, other: Term) -> Option<(Term, Term)> {
    let &[a, b] = pool.as_app(sum, Op::Add)? else { return None };
    if pool.as_const(b).is_some() {
        return Some((a, b));
    }
    if a == other || b == other {
        return Some(if a == other { (a, b) } else { (b, a) });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a`, `b` and a choice, of an iteration that begins with variables or with what the loop was entered with.
    fn setting(pool: &mut Pool) -> (Term, Term, Term) {
        let choice = pool.fresh("choice", Sort::Bv(1));
        let begun = pool.fresh("begun", Sort::Bv(1));
        let entry = pool.fresh("entry", Sort::Bv(8));
        let (x, y) = (pool.fresh("x", Sort::Bv(8)), pool.fresh("y", Sort::Bv(8)));
        (pool.ite(begun, x, entry), pool.ite(begun, y, entry), choice)
    }

    #[test]
    fn what_is_counted_on_is_added_to_the_difference() {
        let mut p = Pool::new();
        let (a, b, choice) = setting(&mut p);
        let mut change = Change::default();
        let d = change.begin(&mut p, a, b);
        let three = p.num(8, 3);
        let next = p.add(a, three);
        let ends = p.ite(choice, next, a);
        let [ends, b] = p.substitute(&change.with, &[ends, b])[..] else { unreachable!() };
        let more = p.add(d, three);
        assert_eq!(change.difference(&mut p, ends, b), p.ite(choice, more, d));
        assert_eq!(change.defined.len(), 1);
    }

    #[test]
    fn a_comparison_is_one_of_the_difference() {
        let mut p = Pool::new();
        let (a, b, _) = setting(&mut p);
        let mut change = Change::default();
        let d = change.begin(&mut p, a, b);
        let one = p.num(8, 1);
        let next = p.add(b, one);
        let same = p.eq(a, next);
        assert_eq!(p.substitute(&change.with, &[same]), [p.eq(d, one)]);
    }

    #[test]
    fn a_copy_is_at_no_distance() {
        let mut p = Pool::new();
        let (a, b, choice) = setting(&mut p);
        let copied = p.ite(choice, a, b);
        let d = Change::default().difference(&mut p, copied, b);
        let apart = Change::default().difference(&mut p, a, b);
        let none = p.num(8, 0);
        assert_eq!(d, p.ite(choice, apart, none));
    }
}

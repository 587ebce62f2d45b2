//! Sums modulo a power of two in one normal form, by cases. What an iteration does to `i + j` is often nothing, and two
//! ways to say so are then the same term: the solver need not add anything up.

use crate::arith::overflow;
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::inst::OverflowOp;
use verify_solver::{Op, Pool, Term};

/// Terms that are taken apart for one sum.
const MAX_STEPS: usize = 64;
/// Cases of one sum.
const MAX_CASES: usize = 8;

/// A sum modulo a power of two: factors of terms, and a constant.
struct Sum {
    width: u32,
    factors: BTreeMap<Term, u128>,
    constant: u128,
}

/// Additions, negations, products with constants and shifts by constants are dissolved (`true`: subtracted); widths up to 64.
fn dissolve(pool: &Pool, parts: &[(Term, bool)], width: u32) -> Sum {
    let mask = u128::MAX >> (128 - width);
    let mut factors: BTreeMap<Term, u128> = BTreeMap::new();
    let mut constant = 0u128;
    let mut open: Vec<(Term, u128)> = parts.iter().map(|(t, minus)| (*t, if *minus { mask } else { 1 })).collect();
    let mut steps = 0;
    while let Some((t, k)) = open.pop() {
        steps += 1;
        if let Some(c) = pool.as_const(t).and_then(|c| c.to_u128()) {
            constant = constant.wrapping_add(c.wrapping_mul(k)) & mask;
            continue;
        }
        let apart = steps <= MAX_STEPS;
        if let Some(args) = pool.as_app(t, Op::Add).filter(|_| apart) {
            open.extend(args.iter().map(|a| (*a, k)));
        } else if let Some(args) = pool.as_app(t, Op::Neg).filter(|_| apart) {
            open.push((args[0], k.wrapping_neg() & mask));
        } else if let Some(args) = pool.as_app(t, Op::Not).filter(|_| apart) {
            // -x - 1
            open.push((args[0], k.wrapping_neg() & mask));
            constant = constant.wrapping_sub(k) & mask;
        } else if let Some((c, x)) = pool.as_app(t, Op::Mul).filter(|_| apart).and_then(|args| {
            let number = |t: Term| pool.as_const(t).and_then(|c| c.to_u128());
            let (a, b) = (args[0], args[1]);
            number(a).map(|c| (c, b)).or_else(|| number(b).map(|c| (c, a)))
        }) {
            open.push((x, k.wrapping_mul(c) & mask));
        } else if let Some((x, by)) = shifted(pool, t).filter(|_| apart) {
            open.push((x, k.wrapping_mul(1u128 << by) & mask));
        } else {
            let f = factors.entry(t).or_default();
            *f = f.wrapping_add(k) & mask;
        }
    }
    factors.retain(|_, k| *k != 0);
    Sum { width, factors, constant }
}

/// What is shifted to the left, and by how much: the pool writes that as the low bits above zeros.
fn shifted(pool: &Pool, t: Term) -> Option<(Term, u32)> {
    let [low, zeros] = pool.as_app(t, Op::Concat)? else { return None };
    pool.as_const(*zeros).filter(|c| c.is_zero())?;
    let x = pool.as_app(*low, Op::Extract { hi: pool.width(*low) - 1, lo: 0 })?[0];
    (pool.width(x) == pool.width(t)).then(|| (x, pool.width(*zeros)))
}

impl Sum {
    fn term(&self, pool: &mut Pool) -> Term {
        let mask = u128::MAX >> (128 - self.width);
        let mut out = pool.num(self.width, self.constant);
        for (t, k) in &self.factors {
            let summand = if *k == 1 {
                *t
            } else if *k == mask {
                pool.neg(*t)
            } else if *k > mask / 2 {
                // One product for what is added and what is subtracted: they cancel without a look into it.
                let k = pool.num(self.width, k.wrapping_neg() & mask);
                let product = pool.mul(*t, k);
                pool.neg(product)
            } else {
                let k = pool.num(self.width, *k);
                pool.mul(*t, k)
            };
            out = pool.add(out, summand);
        }
        out
    }
}

/// The sum of the parts, in normal form.
pub(crate) fn sum(pool: &mut Pool, parts: &[(Term, bool)], width: u32) -> Term {
    dissolve(pool, parts, width).term(pool)
}

/// That the sum of the parts is `value`, in normal form: the youngest term that can is by itself on one side, for it is
/// most likely to be what others are compared with.
pub(crate) fn equation(pool: &mut Pool, parts: &[(Term, bool)], value: Term, width: u32) -> Term {
    let mask = u128::MAX >> (128 - width);
    let mut all = parts.to_vec();
    all.push((value, true));
    let mut s = dissolve(pool, &all, width);
    let alone = s.factors.iter().rev().find(|(t, k)| **t != value && (**k == 1 || **k == mask)).map(|(t, k)| (*t, *k));
    let Some((t, k)) = alone else {
        let all = s.term(pool);
        let zero = pool.num(width, 0);
        return pool.eq(all, zero);
    };
    s.factors.remove(&t);
    if k == 1 {
        s.constant = s.constant.wrapping_neg() & mask;
        s.factors.values_mut().for_each(|k| *k = k.wrapping_neg() & mask);
    }
    let rest = s.term(pool);
    pool.eq(t, rest)
}

/// A number that counts so often (negative: is subtracted), and whether its bits are one in two's complement.
pub(crate) type Summand = (Term, i64, bool);

/// A sum of numbers that does not wrap around, in normal form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WideSum {
    /// How often each counts, by its reading.
    factors: BTreeMap<(Term, bool), i64>,
    constant: i128,
}

/// A sum for which there is a term already, and the width of that.
pub(crate) type Known = (WideSum, Term);

impl WideSum {
    fn len(&self) -> usize {
        self.factors.len()
    }

    fn minus(&self, other: &WideSum) -> WideSum {
        let mut out = self.clone();
        out.constant -= other.constant;
        for (t, k) in &other.factors {
            *out.factors.entry(*t).or_default() -= k;
        }
        out.factors.retain(|_, k| *k != 0);
        out
    }

    /// The sum as a term: of a known one and the rest, where that leaves less to be added up. What bounds both then bounds
    /// the sum without a look at what they share.
    pub(crate) fn term(&self, pool: &mut Pool, width: u32, known: &[Known]) -> Term {
        let rest = |(k, t): &Known| (pool.width(*t) <= width).then(|| (self.minus(k), *t));
        let best = known.iter().rev().filter_map(rest).min_by_key(|(rest, _)| rest.len());
        match best {
            Some((rest, t)) if self.len() > 2 && rest.len() < self.len() => {
                let wide = pool.sext(t, width);
                let rest = rest.plain(pool, width);
                pool.add(wide, rest)
            }
            _ => self.plain(pool, width),
        }
    }

    fn plain(&self, pool: &mut Pool, width: u32) -> Term {
        let mut out = pool.num(width, self.constant as u128 & (u128::MAX >> (128 - width)));
        for ((t, signed), k) in &self.factors {
            let t = if *signed { pool.sext(*t, width) } else { pool.zext(*t, width) };
            let times = pool.num(width, u128::from(k.unsigned_abs()));
            let product = if k.abs() == 1 { t } else { pool.mul(t, times) };
            out = if *k < 0 { pool.sub(out, product) } else { pool.add(out, product) };
        }
        out
    }
}

/// The sum of the numbers in normal form, as far as the sums in them do not wrap around; and the conditions under which one of
/// those does: then it is another sum.
pub(crate) fn wide_sum(pool: &mut Pool, parts: &[Summand]) -> (WideSum, Vec<Term>) {
    let mut factors: BTreeMap<(Term, bool), i64> = BTreeMap::new();
    let mut wraps = Vec::new();
    let mut open = parts.to_vec();
    let mut constant = 0i128;
    let mut steps = 0;
    while let Some((t, k, signed)) = open.pop() {
        steps += 1;
        let w = pool.width(t);
        let number = |pool: &Pool, t: Term| {
            let u = pool.as_const(t)?.to_u128()?;
            Some(if signed { ((u << (128 - w)) as i128) >> (128 - w) } else { u as i128 })
        };
        if let Some(c) = number(pool, t) {
            constant = constant.wrapping_add(c.wrapping_mul(k.into()));
            continue;
        }
        let sum = pool.as_app(t, Op::Add).filter(|_| steps <= MAX_STEPS).map(|args| (args[0], args[1]));
        let Some((a, b)) = sum else {
            let f = factors.entry((t, signed)).or_default();
            *f = f.wrapping_add(k);
            continue;
        };
        // What is subtracted is a large number that is added.
        let half = |n: i128| n >> (w - 1) == 1;
        let subtracted = (!signed).then(|| number(pool, b).filter(|n| half(*n))).flatten();
        let op = match (signed, subtracted) {
            (true, _) => OverflowOp::SAdd,
            (false, None) => OverflowOp::UAdd,
            (false, Some(_)) => OverflowOp::USub,
        };
        let by = match subtracted {
            Some(n) => pool.num(w, ((1i128 << w) - n) as u128),
            None => b,
        };
        let (_, wrapped) = overflow(pool, op, a, by);
        if !wraps.contains(&wrapped) {
            wraps.push(wrapped);
        }
        open.push((a, k, signed));
        open.push((by, if subtracted.is_some() { -k } else { k }, signed));
    }
    factors.retain(|_, k| *k != 0);
    (WideSum { factors, constant }, wraps)
}

/// A condition, and what is summed up then.
type Case = (Term, Vec<(Term, bool)>);

/// The parts by cases of the choices in them, but for those of `atoms`.
pub(crate) fn cases(pool: &mut Pool, parts: &[(Term, bool)], atoms: &BTreeSet<Term>) -> Vec<Case> {
    let mut done: Vec<Case> = Vec::new();
    let mut open = vec![(pool.tt(), parts.to_vec())];
    while let Some((condition, parts)) = open.pop() {
        let choice = parts.iter().filter(|(t, _)| !atoms.contains(t)).find_map(|(t, _)| pool.as_app(*t, Op::Ite));
        let Some(c) = choice.map(|args| args[0]).filter(|_| done.len() + open.len() + 2 <= MAX_CASES) else {
            done.push((condition, parts));
            continue;
        };
        for yes in [false, true] {
            let taken = |t: Term| match pool.as_app(t, Op::Ite) {
                Some(args) if args[0] == c && !atoms.contains(&t) => args[if yes { 1 } else { 2 }],
                _ => t,
            };
            let parts = parts.iter().map(|(t, m)| (taken(*t), *m)).collect();
            let is = if yes { c } else { pool.not(c) };
            open.push((pool.and(condition, is), parts));
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use verify_solver::Sort;

    #[test]
    fn what_is_moved_from_one_to_the_other_does_not_change_the_sum() {
        let mut p = Pool::new();
        let [x, y] = ["x", "y"].map(|n| p.fresh(n, Sort::Bv(32)));
        let one = p.num(32, 1);
        let more = p.add(x, one);
        let less = p.sub(y, one);
        let before = sum(&mut p, &[(x, false), (y, false)], 32);
        assert_eq!(sum(&mut p, &[(more, false), (less, false)], 32), before);
        assert_eq!(sum(&mut p, &[(less, false), (more, false)], 32), before);
        assert_ne!(sum(&mut p, &[(more, false), (less, true)], 32), before);
        let zero = p.num(32, 0);
        assert_eq!(sum(&mut p, &[(x, false), (x, true)], 32), zero);
        let n = p.fresh("n", Sort::Bv(32));
        let is = equation(&mut p, &[(x, false), (y, false)], n, 32);
        assert_eq!(equation(&mut p, &[(more, false), (less, false)], n, 32), is);
        assert_ne!(equation(&mut p, &[(x, true), (y, true)], n, 32), is);
    }

    #[test]
    fn products_are_counted() {
        let mut p = Pool::new();
        let [x, y] = ["x", "y"].map(|n| p.fresh(n, Sort::Bv(32)));
        let number = |p: &mut Pool, n: u128| p.num(32, n);
        let [two, three, six] = [2, 3, 6].map(|n| number(&mut p, n));
        let parts = |t, n| std::iter::repeat_n((t, false), n).collect::<Vec<_>>();
        let doubled = p.mul(x, two);
        assert_eq!(sum(&mut p, &[(doubled, false)], 32), sum(&mut p, &parts(x, 2), 32));
        let six_times = p.mul(x, six);
        let three_times = p.mul(doubled, three);
        assert_eq!(sum(&mut p, &[(six_times, false)], 32), sum(&mut p, &[(three_times, false)], 32));
        let zero = number(&mut p, 0);
        let all: Vec<_> = [(six_times, true)].into_iter().chain(parts(x, 6)).collect();
        assert_eq!(sum(&mut p, &all, 32), zero);
        // 3 y - 3 x: what is subtracted is the product that is added elsewhere.
        let difference = sum(&mut p, &[parts(y, 3), vec![(x, true); 3]].concat(), 32);
        let (a, b) = (p.mul(y, three), p.mul(x, three));
        assert_eq!(difference, {
            let b = p.neg(b);
            p.add(a, b)
        });
    }

    #[test]
    fn wide_sums_are_in_normal_form_where_nothing_wraps_around() {
        let mut p = Pool::new();
        let [x, y] = ["x", "y"].map(|n| p.fresh(n, Sort::Bv(32)));
        let one = p.num(32, 1);
        let (more, too) = (p.add(x, one), p.add(y, one));
        for signed in [true, false] {
            let (before, never) = wide_sum(&mut p, &[(x, 2, signed), (y, -2, signed)]);
            assert!(never.is_empty());
            let (after, wraps) = wide_sum(&mut p, &[(more, 2, signed), (too, -2, signed)]);
            assert_eq!((after, wraps.len()), (before, 2));
            let op = if signed { OverflowOp::SAdd } else { OverflowOp::UAdd };
            assert!(wraps.contains(&overflow(&mut p, op, x, one).1));
        }
        // One less, as a program writes it.
        let less = p.sub(x, one);
        for (signed, op) in [(true, OverflowOp::SSub), (false, OverflowOp::USub)] {
            let (after, wraps) = wide_sum(&mut p, &[(less, 1, signed), (x, -1, signed)]);
            assert_eq!(after.term(&mut p, 36, &[]), p.num(36, (1 << 36) - 1));
            assert_eq!(wraps, [overflow(&mut p, op, x, one).1]);
        }
    }

    #[test]
    fn a_sum_is_made_of_a_known_one() {
        let mut p = Pool::new();
        let [x, y, z, u] = ["x", "y", "z", "u"].map(|n| p.fresh(n, Sort::Bv(32)));
        let known = wide_sum(&mut p, &[(x, -1, true), (y, 1, true), (z, 1, true)]).0;
        let term = known.term(&mut p, 36, &[]);
        let more = wide_sum(&mut p, &[(x, -1, true), (y, 1, true), (u, 1, true)]).0;
        let rest = wide_sum(&mut p, &[(u, 1, true), (z, -1, true)]).0.term(&mut p, 38, &[]);
        let wide = p.sext(term, 38);
        let expected = p.add(wide, rest);
        assert_eq!(more.term(&mut p, 38, &[(known, term)]), expected);
    }

    #[test]
    fn choices_are_taken_together() {
        let mut p = Pool::new();
        let [x, y] = ["x", "y"].map(|n| p.fresh(n, Sort::Bv(32)));
        let c = p.fresh("c", Sort::Bv(1));
        let one = p.num(32, 1);
        let (more, less) = (p.add(x, one), p.sub(y, one));
        let (a, b) = (p.ite(c, more, x), p.ite(c, less, y));
        let before = sum(&mut p, &[(x, false), (y, false)], 32);
        let all = cases(&mut p, &[(a, false), (b, false)], &BTreeSet::new());
        assert_eq!(all.len(), 2);
        assert!(all.iter().all(|(_, parts)| sum(&mut p, parts, 32) == before));
        let together = p.and(all[0].0, all[1].0);
        assert_eq!(together, p.ff());
    }
}

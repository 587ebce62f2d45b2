//! Equations between sums: what stands on both sides is taken away. `n - i - 1 = n - (i + 1)` holds, and
//! `a + b + c = a + d` is `b + c = d`, however the sums were put together.
//!
//! Sums modulo `2^width` are a module over the ring of the integers modulo `2^width`, where adding the same to both sides
//! of an equation keeps its solutions, and so does a factor that is odd. This is no normal form of terms: sums stay as
//! they were written, so that what they share is made once.

use crate::term::{Op, Pool, Term};
use crate::value::Bv;
use std::collections::BTreeMap;

/// Equations with more summands are left as they are.
const MOST: u32 = 24;

/// A sum of multiples of terms that are no sums, and a number.
struct Sum {
    multiples: BTreeMap<Term, Bv>,
    number: Bv,
    /// Places where terms stand in what was added.
    places: u32,
}

impl Sum {
    fn add(&mut self, t: Term, factor: &Bv) {
        self.places += 1;
        let w = factor.width();
        let f = self.multiples.entry(t).or_insert_with(|| Bv::zero(w));
        *f = f.add(factor);
        if f.is_zero() {
            self.multiples.remove(&t);
        }
    }
}

impl Pool {
    /// Two terms that are equal exactly when `a` and `b` are, with fewer summands; [`None`]: there is nothing to take away.
    pub(crate) fn without_common_summands(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let w = self.width(a);
        let is_sum = |t| [Op::Add, Op::Neg, Op::Mul].iter().any(|op| self.as_app(t, *op).is_some());
        if !is_sum(a) && !is_sum(b) {
            return None;
        }
        let mut sum = Sum { multiples: BTreeMap::new(), number: Bv::zero(w), places: 0 };
        let mut todo = vec![(a, Bv::one(w)), (b, Bv::one(w).neg())];
        while let Some((t, factor)) = todo.pop() {
            if sum.places + todo.len() as u32 > MOST {
                return None;
            }
            self.summand(t, factor, &mut sum, &mut todo);
        }
        // An odd factor has an inverse.
        let lone = |(t, f): (&Term, &Bv)| f.bit(0).then(|| (*t, f.clone()));
        if sum.multiples.len() == 1
            && let Some((t, f)) = sum.multiples.iter().next().and_then(lone)
        {
            let right = sum.number.neg().mul(&inverse(&f));
            let right = self.constant(right);
            return ((t, right) != (a, b) && (t, right) != (b, a)).then_some((t, right));
        }
        if sum.multiples.len() as u32 >= sum.places {
            return None;
        }
        let (mut left, mut right) = (self.constant(Bv::zero(w)), self.constant(sum.number.neg()));
        for (t, f) in sum.multiples {
            let (side, f) = if f.sign() { (&mut right, f.neg()) } else { (&mut left, f) };
            let f = self.constant(f);
            let product = self.mul(t, f);
            *side = self.add(*side, product);
        }
        Some((left, right))
    }

    /// Adds a multiple of a term, or leaves that of its parts to do.
    fn summand(&self, t: Term, factor: Bv, sum: &mut Sum, todo: &mut Vec<(Term, Bv)>) {
        if factor.is_zero() {
            // Its parts count for nothing either, and there may be very many ways to them.
        } else if let Some(c) = self.as_const(t) {
            sum.number = sum.number.add(&c.mul(&factor));
        } else if let Some(&[x, y]) = self.as_app(t, Op::Add) {
            todo.extend([(x, factor.clone()), (y, factor)]);
        } else if let Some(&[x]) = self.as_app(t, Op::Neg) {
            todo.push((x, factor.neg()));
        } else if let Some(&[x, c]) = self.as_app(t, Op::Mul)
            && let Some(c) = self.as_const(c)
        {
            todo.push((x, factor.mul(c)));
        } else if let Some(&[x, c]) = self.as_app(t, Op::Shl)
            && let Some(c) = self.as_const(c)
        {
            todo.push((x, factor.shl(c)));
        } else {
            sum.add(t, &factor);
        }
    }
}

/// What an odd number gives 1 with, modulo `2^width`. Newton's method: each step doubles the bits that are right.
fn inverse(odd: &Bv) -> Bv {
    let (one, mut inverse) = (Bv::one(odd.width()), odd.clone());
    loop {
        let product = inverse.mul(odd);
        if product.is_one() {
            return inverse;
        }
        inverse = inverse.mul(&one.add(&one).sub(&product));
    }
}

#[cfg(test)]
mod tests {
    use crate::term::{Pool, Sort, Term};

    fn check(build: impl Fn(&mut Pool, &[Term; 4]) -> (Term, Term)) {
        let mut p = Pool::default();
        let vars = ["a", "b", "c", "d"].map(|n| p.fresh(n, Sort::Bv(32)));
        let (got, want) = build(&mut p, &vars);
        assert_eq!(got, want);
    }

    #[test]
    fn the_same_sum_written_in_two_ways() {
        check(|p, &[n, i, ..]| {
            let one = p.num(32, 1);
            let (x, y) = (p.sub(n, i), p.add(i, one));
            let (x, y) = (p.sub(x, one), p.sub(n, y));
            (p.eq(x, y), p.tt())
        });
        check(|p, &[n, i, ..]| {
            let (one, two) = (p.num(32, 1), p.num(32, 2));
            let (x, y) = (p.sub(n, i), p.add(i, two));
            let (x, y) = (p.sub(x, one), p.sub(n, y));
            (p.eq(x, y), p.ff())
        });
    }

    #[test]
    fn what_is_on_both_sides_goes() {
        check(|p, &[a, b, c, d]| {
            let (x, y) = (p.add(a, b), p.add(d, a));
            let x = p.add(x, c);
            let bc = p.add(b, c);
            (p.eq(x, y), p.eq(bc, d))
        });
    }

    #[test]
    fn odd_factors_have_an_inverse_and_even_ones_have_none() {
        check(|p, &[a, ..]| {
            let (three, twelve) = (p.num(32, 3), p.num(32, 12));
            let x = p.mul(a, three);
            let x = p.add(x, three);
            (p.eq(x, twelve), p.eq(a, three))
        });
        check(|p, &[a, b, ..]| {
            let six = p.num(32, 6);
            let (x, y) = (p.mul(a, six), p.mul(b, six));
            let (e, ab) = (p.eq(x, y), p.eq(a, b));
            assert_ne!(e, ab);
            (e, e)
        });
    }
}

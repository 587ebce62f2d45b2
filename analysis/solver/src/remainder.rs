//! `x rem c = r` for constants `c` and `r` without a division (Warren, "Hacker's Delight", 2nd edition, §10-16 and §10-17): an
//! odd number has an inverse modulo the width, and a multiple of it times that inverse is the quotient, which is small. The
//! one rewriting that makes a term larger: a product with a constant and a comparison, in place of a divider.

use crate::term::{Node, Op, Pool, Term};
use crate::value::Bv;

/// Sums and choices in a value that the inverse is moved into.
const DEPTH: u32 = 4;

impl Pool {
    /// `a rem c = r`, signed or not; [`None`]: stays a division.
    pub(crate) fn remainder_is(&mut self, signed: bool, a: Term, c: &Bv, r: &Bv) -> Option<Term> {
        let w = self.width(a);
        if c.is_zero() || w < 2 {
            return None;
        }
        let size = |v: &Bv| if signed && v.sign() { v.neg() } else { v.clone() };
        let (divisor, rest) = (size(c), size(r));
        if rest.ucmp(&divisor).is_ge() {
            return Some(self.ff());
        }
        let k = (0..w).find(|i| divisor.bit(*i))?;
        let odd = divisor.lshr(&Bv::new(w, k.into()));
        // What is left of `a` must be a multiple. A remainder has the sign of what is divided.
        let from = self.constant(r.clone());
        let in_range = match (signed, r.is_zero(), r.sign()) {
            (_, true, _) => self.tt(),
            (false, ..) => self.ule(from, a),
            (true, _, false) => self.sle(from, a),
            (true, _, true) => self.sle(a, from),
        };
        let a = self.sub(a, from);
        let even = if k == 0 {
            self.tt()
        } else {
            let (low, zero) = (self.extract(a, k - 1, 0), Bv::zero(k));
            let zero = self.constant(zero);
            self.eq(low, zero)
        };
        let multiple = if odd.is_one() {
            self.tt()
        } else {
            let most = if signed { Bv::min_signed(w).not() } else { Bv::ones(w) }.udiv(&odd);
            let quotient = self.times(a, &inverse(&odd), DEPTH);
            if signed {
                // From -most to most.
                let (up, limit) = (self.constant(most.clone()), self.constant(most.add(&most)));
                let moved = self.add(quotient, up);
                self.ule(moved, limit)
            } else {
                let limit = self.constant(most);
                self.ule(quotient, limit)
            }
        };
        let all = self.and(even, multiple);
        Some(self.and(in_range, all))
    }

    /// A constant, or a choice of constants.
    fn is_step(&self, t: Term, depth: u32) -> bool {
        match self.as_app(t, Op::Ite) {
            Some(&[_, x, y]) => depth > 0 && self.is_step(x, depth - 1) && self.is_step(y, depth - 1),
            _ => self.as_const(t).is_some(),
        }
    }

    /// `a * c`, with constants that are added to `a` multiplied out: equal values have equal products with it.
    fn times(&mut self, a: Term, c: &Bv, depth: u32) -> Term {
        if depth > 0 {
            match self.node(a).clone() {
                Node::App(Op::Add, p) if self.is_step(p[0], depth) || self.is_step(p[1], depth) => {
                    let (x, y) = (self.times(p[0], c, depth - 1), self.times(p[1], c, depth - 1));
                    return self.add(x, y);
                }
                Node::App(Op::Ite, p) => {
                    let (x, y) = (self.times(p[1], c, depth - 1), self.times(p[2], c, depth - 1));
                    return self.ite(p[0], x, y);
                }
                _ => {}
            }
        }
        let c = self.constant(c.clone());
        self.mul(a, c)
    }
}

/// The inverse of an odd number modulo the width, by Newton's iteration.
fn inverse(odd: &Bv) -> Bv {
    let w = odd.width();
    let two = Bv::new(w, 2);
    let mut x = odd.clone();
    // Three bits are right at first, twice as many each time.
    let mut right = 3;
    while right < w {
        x = x.mul(&two.sub(&odd.mul(&x)));
        right *= 2;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Value, eval};
    use crate::term::Sort;

    #[test]
    fn remainders_are_what_a_division_says() {
        for w in 2..=6 {
            let n = 1u128 << w;
            let mut pool = Pool::new();
            let x = pool.fresh("x", Sort::Bv(w));
            for (c, r) in (0..n).flat_map(|c| (0..n).map(move |r| (c, r))) {
                let (c, r) = (Bv::new(w, c), Bv::new(w, r));
                for signed in [false, true] {
                    let Some(t) = pool.remainder_is(signed, x, &c, &r) else {
                        assert!(c.is_zero());
                        continue;
                    };
                    for v in 0..n {
                        let v = Bv::new(w, v);
                        let rest = if signed { v.srem(&c) } else { v.urem(&c) };
                        let said = eval(&pool, &[t], |_| Value::Bv(v.clone()))[0].bv().is_one();
                        assert_eq!(said, rest == r, "{v:?} rem {c:?} = {r:?}, signed: {signed}");
                    }
                }
            }
        }
    }

    #[test]
    fn inverses() {
        for w in [2, 3, 8, 31, 32, 64, 100] {
            for odd in (1..200u128).step_by(2) {
                let odd = Bv::new(w, odd);
                assert!(odd.mul(&inverse(&odd)).is_one(), "{odd:?}");
            }
        }
    }
}

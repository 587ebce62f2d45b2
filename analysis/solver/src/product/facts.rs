//! What follows from the meaning of a product at little cost, for the operands that a model has: what the low bits are,
//! products with 0, 1 and -1, magnitudes and signs where nothing overflows, and that products grow with their factors.
//! Each is true of all products; the model only says which one to look at.

use crate::term::{Pool, Term};
use crate::value::Bv;

/// Low bits that are computed.
const LOW: u32 = 8;

/// A fact about the product `x` of `a` and `b` (each with its value in a model) that the model violates.
pub fn violated(pool: &mut Pool, x: (Term, &Bv), a: (Term, &Bv), b: (Term, &Bv)) -> Option<Term> {
    low(pool, x, a, b)
        .or_else(|| unit(pool, x, a, b))
        .or_else(|| unit(pool, x, b, a))
        .or_else(|| unsigned(pool, x, a, b))
        .or_else(|| signed(pool, x, a, b))
        .or_else(|| grows(pool, x, a, b))
}

/// The number of bits that it takes to write an unsigned number.
fn length(v: &Bv) -> u32 {
    (0..v.width()).rev().find(|i| v.bit(*i)).map_or(0, |i| i + 1)
}

/// `2^k`; `None` if there is none of the width.
fn power(w: u32, k: u32) -> Option<Bv> {
    (k < w).then(|| Bv::one(w).shl(&Bv::new(w, u128::from(k))))
}

/// The low bits of a product are those of the product of the low bits.
fn low(pool: &mut Pool, x: (Term, &Bv), a: (Term, &Bv), b: (Term, &Bv)) -> Option<Term> {
    let top = LOW.min(x.1.width()) - 1;
    if x.1.extract(top, 0) == a.1.mul(b.1).extract(top, 0) {
        return None;
    }
    let [x, a, b] = [x.0, a.0, b.0].map(|t| pool.extract(t, top, 0));
    let p = pool.mul(a, b);
    Some(pool.eq(x, p))
}

/// A factor of 0, 1 or -1.
fn unit(pool: &mut Pool, x: (Term, &Bv), a: (Term, &Bv), b: (Term, &Bv)) -> Option<Term> {
    if !(a.1.is_zero() || a.1.is_one() || a.1.is_ones()) || *x.1 == a.1.mul(b.1) {
        return None;
    }
    let v = pool.constant(a.1.clone());
    let is = pool.eq(a.0, v);
    let p = pool.mul(v, b.0);
    let same = pool.eq(x.0, p);
    Some(pool.implies(is, same))
}

/// Factors below `2^i` and `2^j` have a product below `2^(i + j)`; and at least `2^(i - 1)` and `2^(j - 1)`, one of at
/// least `2^(i + j - 2)`.
fn unsigned(pool: &mut Pool, x: (Term, &Bv), a: (Term, &Bv), b: (Term, &Bv)) -> Option<Term> {
    let w = x.1.width();
    let (i, j) = (length(a.1), length(b.1));
    if i + j > w || i == 0 || j == 0 {
        return None;
    }
    let mut within = pool.tt();
    for (t, k) in [(a.0, i), (b.0, j)] {
        if let Some(limit) = power(w, k) {
            let limit = pool.constant(limit);
            let below = pool.ult(t, limit);
            within = pool.and(within, below);
        }
    }
    if let Some(limit) = power(w, i + j)
        && x.1.ucmp(&limit).is_ge()
    {
        let limit = pool.constant(limit);
        let below = pool.ult(x.0, limit);
        return Some(pool.implies(within, below));
    }
    let least = power(w, i + j - 2)?;
    if x.1.ucmp(&least).is_ge() {
        return None;
    }
    for (t, k) in [(a.0, i - 1), (b.0, j - 1)] {
        let limit = pool.constant(power(w, k)?);
        let above = pool.ule(limit, t);
        within = pool.and(within, above);
    }
    let least = pool.constant(least);
    let above = pool.ule(least, x.0);
    Some(pool.implies(within, above))
}

/// Factors from `-2^i` to `2^i` and from `-2^j` to `2^j` have a product from `-2^(i + j)` to `2^(i + j)`, of the sign that
/// theirs have it; and one that is as far from 0 as the product of their least magnitudes.
fn signed(pool: &mut Pool, x: (Term, &Bv), a: (Term, &Bv), b: (Term, &Bv)) -> Option<Term> {
    let w = x.1.width();
    let magnitude = |v: &Bv| length(&if v.sign() { v.not() } else { v.clone() });
    let (i, j) = (magnitude(a.1), magnitude(b.1));
    if i + j + 1 >= w {
        return None;
    }
    let mut within = pool.tt();
    for (t, k) in [(a.0, i), (b.0, j)] {
        let limit = power(w, k)?;
        let (least, most) = (pool.constant(limit.neg()), pool.constant(limit));
        let (above, below) = (pool.sle(least, t), pool.sle(t, most));
        within = pool.and_all([within, above, below]);
    }
    let limit = power(w, i + j)?;
    let (least, most) = (limit.neg(), limit);
    if x.1.scmp(&least).is_lt() || x.1.scmp(&most).is_gt() {
        let (least, most) = (pool.constant(least), pool.constant(most));
        let (above, below) = (pool.sle(least, x.0), pool.sle(x.0, most));
        let both = pool.and(above, below);
        return Some(pool.implies(within, both));
    }
    if i > 0 && j > 0 {
        let least = power(w, i + j - 2)?;
        let negative = a.1.sign() != b.1.sign();
        // A number of this sign that is so far from 0.
        let far = |pool: &mut Pool, t: Term, negative: bool, by: &Bv| {
            let limit = pool.constant(if negative { by.neg() } else { by.clone() });
            if negative { pool.sle(t, limit) } else { pool.sle(limit, t) }
        };
        let reaches = if negative { x.1.scmp(&least.neg()).is_le() } else { x.1.scmp(&least).is_ge() };
        if !reaches {
            for (t, k, v) in [(a.0, i - 1, a.1), (b.0, j - 1, b.1)] {
                let by = far(pool, t, v.sign(), &power(w, k)?);
                within = pool.and(within, by);
            }
            let far = far(pool, x.0, negative, &least);
            return Some(pool.implies(within, far));
        }
    }
    if x.1.is_zero() || x.1.sign() == (a.1.sign() != b.1.sign()) {
        return None;
    }
    let [sx, sa, sb] = [x.0, a.0, b.0].map(|t| pool.extract(t, w - 1, w - 1));
    let zero = pool.num(w, 0);
    let (differ, none) = (pool.xor(sa, sb), pool.eq(x.0, zero));
    let same = pool.eq(sx, differ);
    let either = pool.or(none, same);
    Some(pool.implies(within, either))
}

/// Factors not above `u` and `v` have a product not above `u * v`; and not below them, one not below it if nothing
/// overflows.
fn grows(pool: &mut Pool, x: (Term, &Bv), a: (Term, &Bv), b: (Term, &Bv)) -> Option<Term> {
    let w = x.1.width();
    let (i, j) = (length(a.1), length(b.1));
    let product = a.1.mul(b.1);
    if i + j > w || *x.1 == product {
        return None;
    }
    let [u, v, p] = [a.1, b.1, &product].map(|v| pool.constant(v.clone()));
    if x.1.ucmp(&product).is_gt() {
        let (below_u, below_v, below) = (pool.ule(a.0, u), pool.ule(b.0, v), pool.ule(x.0, p));
        let both = pool.and(below_u, below_v);
        return Some(pool.implies(both, below));
    }
    let (above_u, above_v, above) = (pool.ule(u, a.0), pool.ule(v, b.0), pool.ule(p, x.0));
    let mut within = pool.and(above_u, above_v);
    for (t, k) in [(a.0, i), (b.0, w - i)] {
        if let Some(limit) = power(w, k) {
            let limit = pool.constant(limit);
            let below = pool.ult(t, limit);
            within = pool.and(within, below);
        }
    }
    Some(pool.implies(within, above))
}

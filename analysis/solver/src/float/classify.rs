//! Patterns without arithmetic: classes, order, the lesser and the greater, signs. Magnitudes are ordered like their
//! patterns, so that a comparison of integers decides.

use super::Format;
use crate::term::{Pool, Term};
use crate::value::Bv;

/// The pattern without its sign.
pub fn magnitude(p: &mut Pool, f: Format, a: Term) -> Term {
    p.extract(a, f.width() - 2, 0)
}

/// The sign bit.
pub fn sign(p: &mut Pool, f: Format, a: Term) -> Term {
    p.extract(a, f.width() - 1, f.width() - 1)
}

fn infinity(p: &mut Pool, f: Format) -> Term {
    let w = f.width() - 1;
    p.constant(Bv::ones(f.exponent).zext(w).shl(&Bv::new(w, u128::from(f.significand - 1))))
}

/// Not a number.
pub fn is_nan(p: &mut Pool, f: Format, a: Term) -> Term {
    let (m, inf) = (magnitude(p, f, a), infinity(p, f));
    p.ult(inf, m)
}

/// A NaN that operations quieten.
pub fn is_signalling(p: &mut Pool, f: Format, a: Term) -> Term {
    let nan = is_nan(p, f, a);
    let quiet = p.extract(a, f.significand - 2, f.significand - 2);
    let loud = p.not(quiet);
    p.and(nan, loud)
}

/// Infinite.
pub fn is_infinite(p: &mut Pool, f: Format, a: Term) -> Term {
    let (m, inf) = (magnitude(p, f, a), infinity(p, f));
    p.eq(m, inf)
}

/// Plus or minus zero.
pub fn is_zero(p: &mut Pool, f: Format, a: Term) -> Term {
    let m = magnitude(p, f, a);
    let z = p.constant(Bv::zero(f.width() - 1));
    p.eq(m, z)
}

/// Not zero, and below the normal range.
pub fn is_subnormal(p: &mut Pool, f: Format, a: Term) -> Term {
    let field = p.extract(a, f.width() - 2, f.significand - 1);
    let none = p.constant(Bv::zero(f.exponent));
    let low = p.eq(field, none);
    let zero = is_zero(p, f, a);
    let some = p.not(zero);
    p.and(low, some)
}

/// A number with its leading bit.
pub fn is_normal(p: &mut Pool, f: Format, a: Term) -> Term {
    let field = p.extract(a, f.width() - 2, f.significand - 1);
    let none = p.constant(Bv::zero(f.exponent));
    let ones = p.constant(Bv::ones(f.exponent));
    let (low, high) = (p.ne(field, none), p.ne(field, ones));
    p.and(low, high)
}

/// The quiet NaN with the sign and payload of a pattern.
pub fn quiet(p: &mut Pool, f: Format, nan: Term) -> Term {
    let s = sign(p, f, nan);
    let ones = p.constant(Bv::ones(f.exponent + 1));
    let high = p.concat(s, ones);
    if f.significand == 2 {
        return high;
    }
    let low = p.extract(nan, f.significand - 3, 0);
    p.concat(high, low)
}

/// The negated number.
pub fn negate(p: &mut Pool, f: Format, a: Term) -> Term {
    let (s, m) = (sign(p, f, a), magnitude(p, f, a));
    let s = p.not(s);
    p.concat(s, m)
}

/// The absolute value.
pub fn absolute(p: &mut Pool, f: Format, a: Term) -> Term {
    let m = magnitude(p, f, a);
    let s = p.ff();
    p.concat(s, m)
}

/// How two numbers compare: at most one of these holds, none of them when one is a NaN.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// `a < b`.
    pub less: Term,
    /// `a = b`, zeros included.
    pub equal: Term,
    /// `a > b`.
    pub greater: Term,
    /// One of them is a NaN.
    pub unordered: Term,
}

/// Compares.
pub fn order(p: &mut Pool, f: Format, a: Term, b: Term) -> Order {
    let (na, nb) = (is_nan(p, f, a), is_nan(p, f, b));
    let unordered = p.or(na, nb);
    let ordered = p.not(unordered);
    let (za, zb) = (is_zero(p, f, a), is_zero(p, f, b));
    let zeros = p.and(za, zb);
    let same = p.eq(a, b);
    let equal = p.or(zeros, same);
    let (ma, mb) = (magnitude(p, f, a), magnitude(p, f, b));
    let (sa, sb) = (sign(p, f, a), sign(p, f, b));
    let below = |p: &mut Pool, (ma, sa): (Term, Term), (mb, sb): (Term, Term)| {
        // Signs differ: the negative one. Both positive: by magnitude; both negative: the other way round.
        let (up, down) = (p.ult(ma, mb), p.ult(mb, ma));
        let by = p.ite(sa, down, up);
        let differ = p.xor(sa, sb);
        let lt = p.ite(differ, sa, by);
        let not_zeros = p.not(zeros);
        let lt = p.and(lt, not_zeros);
        p.and(lt, ordered)
    };
    let less = below(p, (ma, sa), (mb, sb));
    let greater = below(p, (mb, sb), (ma, sa));
    Order { less, equal: p.and(equal, ordered), greater, unordered }
}

/// `a <= b`, false for NaNs.
pub fn at_most(p: &mut Pool, f: Format, a: Term, b: Term) -> Term {
    let o = order(p, f, a, b);
    p.or(o.less, o.equal)
}
